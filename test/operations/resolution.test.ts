// Needs nothing.
import type { OperationEvent, PersonVerdict } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import { type Resolution, resolve } from '../../src/operations/resolution';
import {
  ABSENT,
  AT_13_00,
  accepted,
  answered,
  CALL_A,
  closed,
  confirmed,
  dropped,
  effect,
  escalated,
  evidence,
  found,
  INCONCLUSIVE,
  marked,
  NONE,
  NONE_SEND_AGAIN,
  NOON,
  notSubmitted,
  recorded,
  registered,
  rejected,
  SENT,
  said,
  unknown,
} from './fixtures';

const UNKNOWN = [...SENT, answered(unknown()), escalated()] as const;
const CONFIRMED: PersonVerdict = { as: 'confirmed', externalId: 're_1' };
const webhook = (...effects: Parameters<typeof found>[0]): OperationEvent =>
  evidence(found(effects, false), { source: 'webhook' });

function act(
  events: readonly OperationEvent[],
  verdict: PersonVerdict,
  parts: Partial<Resolution & { hasQuery: boolean }> = {},
) {
  const { hasQuery = true, ...rest } = parts;
  const history = recorded(...events);
  const resolution = { by: 'ops-3', note: 'seen', sawVersion: history.length, lookedAt: null, ...rest, verdict };
  return resolve(fold(history), history, resolution, hasQuery);
}

describe("a person's act", () => {
  test('is an event that names who, why, what they saw and of which generation', () => {
    expect(act([...UNKNOWN], CONFIRMED)).toEqual({
      kind: 'resolved',
      event: { kind: 'resolved', generation: 1, by: 'ops-3', note: 'seen', sawVersion: 4, verdict: CONFIRMED },
    });
  });

  test('is refused where evidence came after the version they saw, and shows it', () => {
    const answer = act([...UNKNOWN, webhook(effect('re_1', 'pending'))], NONE, { sawVersion: 4 });
    expect(answer).toMatchObject({
      kind: 'refused',
      why: 'There is newer evidence. Look at it and decide again.',
      evidence: [{ seq: 5, kind: 'evidence' }],
    });
    expect(act([...UNKNOWN, evidence(ABSENT, { final: true })], NONE, { sawVersion: 4 })).toMatchObject({
      kind: 'refused',
      evidence: [{ seq: 5 }],
    });
    expect(act([...SENT, answered(unknown())], CONFIRMED, { sawVersion: 1 })).toMatchObject({
      evidence: [{ kind: 'marked' }, { kind: 'answered' }],
    });
  });

  test('is not refused for what tells nothing: an empty or inconclusive look, a closed call, an escalation, a session that was told of it', () => {
    const looks = [evidence(ABSENT), evidence(INCONCLUSIVE)];
    const told = { kind: 'told', generation: 1, call: CALL_A } as const;
    const events = [...SENT, answered(unknown()), ...looks, closed(), escalated(), told];
    expect(act(events, CONFIRMED, { sawVersion: 3 }).kind).toBe('resolved');
  });

  test('is refused where there is nothing to decide', () => {
    expect(act([], CONFIRMED)).toEqual({
      kind: 'refused',
      why: 'There is no such operation.',
      evidence: [],
      lookAfter: null,
    });
    expect(act([...UNKNOWN], CONFIRMED, { sawVersion: 5 })).toMatchObject({ why: 'There is no version 5 yet.' });
    expect(act([registered()], CONFIRMED)).toMatchObject({
      why: 'It was never sent, so there is nothing to find out.',
    });
    expect(act([...SENT, answered(notSubmitted()), dropped()], NONE)).toMatchObject({ kind: 'refused' });
    expect(act([...SENT, answered(confirmed())], NONE)).toMatchObject({ why: 'It is settled already: confirmed.' });
    expect(act([...SENT, answered(rejected())], CONFIRMED)).toMatchObject({ why: 'It is settled already: rejected.' });
  });
});

describe("a person's confirmed", () => {
  test('names an effect that is known, where one is', () => {
    const pending = [...UNKNOWN, webhook(effect('re_1', 'pending'))];
    expect(act(pending, CONFIRMED).kind).toBe('resolved');
    expect(act(pending, { as: 'confirmed', externalId: 're_7' })).toMatchObject({
      why: 'The effects known are re_1; re_7 is none of them.',
    });
  });

  test('may name another one where those of this generation failed', () => {
    const second = [...SENT, answered(rejected('all', 're_1')), registered(2), marked(2), answered(unknown(), 2)];
    expect(act(second, { as: 'confirmed', externalId: 're_2' }).kind).toBe('resolved');
  });

  test('may name another one where the one that is known failed after it succeeded', () => {
    const bounced = [...SENT, answered(confirmed()), webhook(effect('re_1', 'failed'))];
    expect(act(bounced, { as: 'confirmed', externalId: 're_2' }).kind).toBe('resolved');
  });

  test('hears of all that are known where it names none of them', () => {
    const two = [...UNKNOWN, webhook(effect('re_1'), effect('re_2', 'pending'))];
    expect(act(two, { as: 'confirmed', externalId: 're_7' })).toMatchObject({
      why: 'The effects known are re_1, re_2; re_7 is none of them.',
    });
  });

  test('needs no look', () => {
    expect(act([...SENT], CONFIRMED).kind).toBe('resolved');
  });
});

describe("a person's rejected", () => {
  const NEEDS_QUERY = 'A complete query, begun after the last moment anything could arrive, is needed first.';

  test('needs a complete query that began after the last moment anything could arrive', () => {
    expect(act([...UNKNOWN], NONE)).toMatchObject({ kind: 'refused', why: NEEDS_QUERY, lookAfter: NOON + 310_000 });
    expect(act([...UNKNOWN, evidence(ABSENT, { begunAt: NOON + 310_000 })], NONE)).toMatchObject({ why: NEEDS_QUERY });
    expect(act([...UNKNOWN, evidence(INCONCLUSIVE)], NONE)).toMatchObject({ why: NEEDS_QUERY });
    expect(act([...UNKNOWN, evidence(ABSENT)], NONE).kind).toBe('resolved');
    expect(act([...UNKNOWN, evidence(ABSENT)], NONE_SEND_AGAIN).kind).toBe('resolved');
  });

  test('an attempt after that query needs another one', () => {
    const resent = [...UNKNOWN, evidence(ABSENT), marked(1, 2, { decidedAt: AT_13_00 })];
    expect(act(resent, NONE)).toMatchObject({ why: NEEDS_QUERY });
  });

  test('a query that found only what failed will do', () => {
    const failed = effect('re_1', 'failed', { key: null, mismatch: 'other amount' });
    expect(act([...UNKNOWN, evidence(found([failed]))], NONE).kind).toBe('resolved');
  });

  test("without a query needs the person's own look after that moment", () => {
    const own = (lookedAt: number | null) => act([...UNKNOWN], NONE, { hasQuery: false, lookedAt });
    expect(own(null)).toMatchObject({
      why: 'What was sent may still arrive. Look at the provider after that and decide again.',
      lookAfter: NOON + 310_000,
    });
    expect(own(NOON + 310_000).kind).toBe('refused');
    expect(own(NOON + 310_001).kind).toBe('resolved');
  });

  test('is refused while an effect is known that stands', () => {
    const pending = [...UNKNOWN, evidence(found([effect('re_1', 'pending')]))];
    expect(act(pending, NONE)).toMatchObject({
      why: 'The effect exists: re_1. Undo it at the provider first, or say confirmed.',
    });
    const alarm = [...SENT, answered(rejected()), webhook(effect('re_1'))];
    expect(act(alarm, NONE, { hasQuery: false, lookedAt: AT_13_00 }).kind).toBe('refused');
  });

  test('is taken of what was pending where nobody can ask: they alone know that it failed', () => {
    const pending = [...SENT, answered(accepted()), escalated()];
    expect(act(pending, NONE, { hasQuery: false, lookedAt: AT_13_00 }).kind).toBe('resolved');
    expect(act(pending, NONE).kind).toBe('refused');
  });

  test('is taken of a success that failed later: the customer has nothing', () => {
    const bounced = [
      ...SENT,
      answered(confirmed()),
      webhook(effect('re_1', 'failed')),
      evidence(found([effect('re_1', 'failed')])),
    ];
    const answer = act(bounced, NONE_SEND_AGAIN);
    expect(answer.kind).toBe('resolved');
  });

  test('ends an alarm about what was never sent without a look', () => {
    const stranger = effect('re_9', 'succeeded', { mismatch: 'its amount is 5, not 4900' });
    expect(act([registered(), webhook(stranger)], NONE).kind).toBe('resolved');
  });

  test('is refused after a person said so already', () => {
    expect(act([...UNKNOWN, evidence(ABSENT), said(NONE, 5)], NONE_SEND_AGAIN)).toMatchObject({
      why: 'It is settled already: rejected.',
    });
  });
});
