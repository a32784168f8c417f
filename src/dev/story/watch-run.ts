import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRef } from '../../conversations/refs';
import type { TranscriptTurn } from '../../conversations/transcript';
import type { Database } from '../../ledger/database';
import type { Ledger } from '../../ledger/ledger';
import { eventText } from '../../operations/event-text';
import { shorten } from '../../operations/outcome';
import type { FakeStripe } from '../../testing/fake-stripe/fake-stripe';
import { readChats, readHistories } from '../scenarios/run-result';
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
export function watchRun({ database, ledger, fake, sessions, teller }: Watched): Watch {
  const began = Date.now();
  const told = new Set<string>();
  let lines: Line[] = [];
  const add = (id: string, line: Line) => {
    if (told.has(id)) return;
    told.add(id);
    lines.push(line);
  };
  const unlisten = fake.onEvent((happening) => {
    const text = providerText(happening);
    if (text !== null) lines.push({ at: Date.now(), actor: 'provider', text });
  });
  const poll = async () => {
    const chats = await readChats(database, sessions());
    for (const { session, turns } of chats) {
      for (const [id, line] of conversationLines(turns)) add(`${session.tenant}/${session.sessionId}/${id}`, line);
    }
    for (const { tenant, id, events } of await readHistories(ledger, chats)) {
      const name = operationName(tenant, id);
      for (const event of events) {
        add(`${tenant}/${id}/${event.seq}`, {
          at: event.at,
          actor: 'ledger',
          text: `${name}: ${eventText(event, events)}`,
        });
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

function* conversationLines(turns: readonly TranscriptTurn[]): Generator<[string, Line]> {
  for (const { turn, at: askedAt, message, reply, endedAt, steps } of turns) {
    yield [`${turn}`, { at: askedAt, actor: 'customer', text: message }];
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
