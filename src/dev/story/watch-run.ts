import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRef } from '../../conversations/refs';
import type { TranscriptTurn } from '../../conversations/transcript';
import type { Database } from '../../ledger/database';
import type { Ledger } from '../../ledger/ledger';
import type { Recorded } from '../../operations/event';
import { eventText } from '../../operations/event-text';
import { fold } from '../../operations/fold';
import { shorten } from '../../operations/outcome';
import type { FakeStripe } from '../../testing/fake-stripe/fake-stripe';
import { spanText } from '../clock/span-text';
import { isFollowUpTurn } from '../scenarios/is-follow-up-turn';
import { readChats, readHistories } from '../scenarios/run-result';
import { MovedClock } from './moved-clock';
import { operationName } from './operation-name';
import { providerText } from './provider-text';
import type { Actor, Teller } from './teller';

const POLL_MS = 60;
/** Lines are held back this long, so that what the polls find later but happened earlier is told in its order. */
const SETTLE_MS = 250;

/** Characters of a read-only tool's answer that the story shows. */
const READ_TEXT_MAX = 100;

interface Line {
  readonly at: number;
  readonly actor: Actor;
  readonly text: string;
}

export interface Watched {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly fake: FakeStripe;
  /** How far the ledger's clock is ahead as the run begins. */
  readonly aheadMs: number;
  /** The run's conversations so far. */
  readonly sessions: () => readonly SessionRef[];
  readonly teller: Teller;
}

export interface Watch {
  tell(actor: Actor, text: string): void;
  /** Tells what is left, and ends. */
  end(): Promise<void>;
}

/** Tells a run as it happens, from what the conversation, the ledger and the provider have on record. */
export function watchRun({ database, ledger, fake, aheadMs, sessions, teller }: Watched): Watch {
  const began = Date.now();
  const clock = new MovedClock(aheadMs);
  const told = new Set<string>();
  let lines: Line[] = [];
  const add = (id: string, line: Line) => {
    if (told.has(id)) return;
    told.add(id);
    lines.push(line);
  };
  const unlisten = fake.onEvent((happening) => {
    if (happening.kind === 'clock-advanced') {
      clock.moved(Date.now(), happening.ms);
      const text = `${spanText(happening.ms)} pass, for the ledger and the provider alike.`;
      lines.push({ at: Date.now(), actor: 'clock', text });
    }
    const text = providerText(happening);
    if (text !== null) lines.push({ at: Date.now(), actor: 'provider', text });
  });
  const poll = async () => {
    const chats = await readChats(database, sessions());
    for (const { session, turns } of chats) {
      for (const [id, line] of conversationLines(turns)) {
        add(`${session.tenant}/${session.sessionId}/${id}`, { ...line, at: clock.realTimeOf(line.at) });
      }
    }
    for (const { tenant, id, events } of await readHistories(ledger, chats)) {
      const name = operationName(tenant, id);
      for (const event of events) {
        add(`${tenant}/${id}/${event.seq}`, {
          at: clock.realTimeOf(event.at),
          actor: 'ledger',
          text: `${name}: ${eventText(event, events)}`,
        });
        const reason = newAlarm(events, event);
        if (reason !== null) {
          add(`${tenant}/${id}/${event.seq}/alarm`, {
            at: clock.realTimeOf(event.at),
            actor: 'ledger',
            text: `${name}: put before a person: ${reason}`,
          });
        }
      }
    }
  };
  const flush = (until: number) => {
    const ready = lines.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    lines = lines.filter(({ at }) => at > until);
    for (const { at, actor, text } of ready) teller.say(at - began, actor, text);
  };
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      await poll();
      flush(Date.now() - SETTLE_MS);
      await sleep(POLL_MS);
    }
    await poll();
    flush(Number.POSITIVE_INFINITY);
  })();
  running.catch(() => undefined);
  return {
    tell: (actor, text) => lines.push({ at: Date.now(), actor, text }),
    end: async () => {
      stop.abort();
      await running.finally(unlisten);
    },
  };
}

/** Why this event put the operation before a person. An alarm has no event of its own, so it is read from the evidence. */
function newAlarm(events: readonly Recorded[], { kind, seq }: Recorded): string | null {
  if (kind === 'escalated') return null;
  const [before, after] = [seq - 1, seq].map((count) => fold(events.slice(0, count)));
  return after?.state === 'escalated' && before?.state !== 'escalated' ? after.reason : null;
}

function* conversationLines(turns: readonly TranscriptTurn[]): Generator<[string, Line]> {
  for (const record of turns) {
    const { turn, at: askedAt, message, reply, endedAt, steps } = record;
    const actor = isFollowUpTurn(record) ? 'ledger' : 'customer';
    yield [`${turn}`, { at: askedAt, actor, text: message }];
    for (const { step, at, answer, results } of steps) {
      for (const { position, tool, input } of answer.calls) {
        yield [`${turn}/${step}/${position}`, { at, actor: 'agent', text: `calls ${tool} ${shownInput(input)}` }];
      }
      for (const { position, at: repliedAt, reply: result } of results) {
        const { text, operationId } = result;
        const line = `answers: ${operationId === null ? shorten(text, READ_TEXT_MAX) : text}`;
        yield [`${turn}/${step}/${position}/reply`, { at: repliedAt, actor: 'tool', text: line }];
      }
    }
    if (reply !== null && endedAt !== null) {
      yield [`${turn}/reply`, { at: endedAt, actor: 'agent', text: `“${reply}”` }];
    }
  }
}

/** Blanks at the ends of a text are what the story is about, so no line is broken there. */
function shownInput(input: unknown): string {
  return JSON.stringify(input).replace(/(?<=") | (?=")/g, '\u00A0');
}
