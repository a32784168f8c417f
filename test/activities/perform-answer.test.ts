// Needs nothing.
import type { Outcome } from '../../src/operations/outcome';
import { milliseconds } from '../../src/operations/time';
import { FakeSleep, settle } from '../support/fake-sleep';
import { answered, callRef, RECEIPT } from '../support/fixtures';
import { CONFIRMED, outOfReach, PerformRig } from '../support/perform-rig';

const mockSleeps = new FakeSleep();
jest.mock('node:timers/promises', () => ({
  setTimeout: (...args: Parameters<FakeSleep['setTimeout']>) => mockSleeps.setTimeout(...args),
}));
afterEach(() => {
  // No timer outlives an execution.
  expect(mockSleeps.pending).toBe(0);
});

const REF = { tenant: 'shop', operationId: 'refund-1043-li_2' };
const UNKNOWN: Outcome = { kind: 'unknown', why: 'Reset.', resend: 'allowed', receipt: RECEIPT };

/** A provider whose answer comes when the test says so. */
function slow(options: ConstructorParameters<typeof PerformRig>[0] = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const rig = new PerformRig({ ...options, send: () => promise });
  return { rig, answer: resolve, fail: reject };
}

describe('the time-out of the answer is the engine’s', () => {
  test('no answer within sendWithin + answerWithin → unknown is recorded, and the call hears outcome_unknown', async () => {
    const { rig, answer } = slow();
    const running = rig.run();
    await mockSleeps.advance(39_900);
    expect(await rig.answers()).toEqual([]);
    await mockSleeps.advance(100);
    await expect(running).resolves.toMatchObject({ reply: { code: 'outcome_unknown', retryAction: 'query-status' } });
    expect(await rig.answers()).toMatchObject([{ kind: 'unknown', why: expect.stringMatching(/^No answer within/) }]);
    answer(CONFIRMED);
    await settle();
  });

  test('after its own unknown send a call does not ask the provider at once', async () => {
    const { rig, answer } = slow({ find: async () => ({ kind: 'absent' }) });
    const running = rig.run();
    await mockSleeps.advance(40_000);
    await running;
    expect(rig.trail).not.toContain('find');
    answer(CONFIRMED);
    await settle();
  });

  test('an answer in time → its timer ends with it', async () => {
    const rig = new PerformRig();
    await rig.run();
    expect(mockSleeps.pending).toBe(0);
  });

  test('a contract’s own answerWithin is what is waited for', async () => {
    const { rig, answer } = slow({ contract: { answerWithin: milliseconds(500) } });
    const running = rig.run();
    await mockSleeps.advance(10_500);
    await expect(running).resolves.toMatchObject({ reply: { code: 'outcome_unknown' } });
    answer(CONFIRMED);
    await settle();
  });
});

describe('what the send yields after its time-out is evidence, recorded exactly once', () => {
  async function timedOut(options: ConstructorParameters<typeof PerformRig>[0] = {}) {
    const slowRig = slow(options);
    const running = slowRig.rig.run();
    await mockSleeps.advance(40_000);
    await running;
    return slowRig;
  }

  test('a success that comes late confirms the operation', async () => {
    const { rig, answer } = await timedOut();
    answer(CONFIRMED);
    await settle();
    expect((await rig.answers()).map(({ kind }) => kind)).toEqual(['unknown', 'confirmed']);
    await expect(rig.run({ call: callRef('chat-1/2/1/0') })).resolves.toMatchObject({
      reply: { code: 'already_done' },
    });
  });

  test('an error that comes late is unknown, as it would have been in time', async () => {
    const { rig, fail } = await timedOut();
    fail(new Error('socket hang up'));
    await settle();
    expect((await rig.answers()).map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
    expect(rig.lost).toEqual([]);
  });

  test('the ledger is out of reach for a while → it is recorded when it is back', async () => {
    const { rig, answer } = await timedOut();
    rig.ledger.before('load', outOfReach, outOfReach);
    rig.ledger.before('save', outOfReach);
    answer(CONFIRMED);
    await mockSleeps.advance(100 + 1_000 + 5_000);
    expect((await rig.answers()).map(({ kind }) => kind)).toEqual(['unknown', 'confirmed']);
    expect(rig.lost).toEqual([]);
  });

  test('the save is written and its confirmation lost → it is not recorded again', async () => {
    const { rig, answer } = await timedOut();
    rig.ledger.after('save', outOfReach);
    answer(CONFIRMED);
    await mockSleeps.advance(60_000);
    expect((await rig.answers()).map(({ kind }) => kind)).toEqual(['unknown', 'confirmed']);
  });

  test('another writer wins the race → it is recorded after theirs', async () => {
    const { rig, answer } = await timedOut();
    rig.ledger.before('save', async () => {
      const { events: before } = await rig.ledger.inner.load(REF);
      await rig.ledger.inner.save({ ...REF, before, events: [answered(UNKNOWN)] });
    });
    answer(CONFIRMED);
    await settle();
    expect((await rig.answers()).map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'confirmed']);
  });

  test('the operation was settled meanwhile by a query → the late answer agrees and changes nothing', async () => {
    const effect = { externalId: 're_1', status: 'succeeded', key: null, mismatch: null } as const;
    const { rig, answer } = await timedOut({
      find: async () => ({ kind: 'found', effects: [effect], complete: true }),
    });
    await expect(rig.run({ call: callRef('chat-1/2/1/0') })).resolves.toMatchObject({
      reply: { code: 'already_done' },
    });
    answer(CONFIRMED);
    await settle();
    expect((await rig.answers()).map(({ kind }) => kind)).toEqual(['unknown', 'confirmed']);
    await expect(rig.run({ call: callRef('chat-1/3/1/0') })).resolves.toMatchObject({
      reply: { code: 'already_done', externalId: 're_1' },
    });
  });

  test('a late answer that names another effect than the one that was found → an alarm, before a person', async () => {
    const effect = { externalId: 're_2', status: 'succeeded', key: null, mismatch: null } as const;
    const { rig, answer } = await timedOut({
      find: async () => ({ kind: 'found', effects: [effect], complete: true }),
    });
    await rig.run({ call: callRef('chat-1/2/1/0') });
    answer(CONFIRMED);
    await settle();
    await expect(rig.run({ call: callRef('chat-1/3/1/0') })).resolves.toMatchObject({ reply: { code: 'escalated' } });
  });

  test('the ledger stays away → it is given up after a minute, and said which operation lost its answer', async () => {
    const { rig, answer } = await timedOut();
    rig.ledger.before('load', ...Array.from({ length: 10 }, () => outOfReach));
    answer(CONFIRMED);
    await mockSleeps.advance(60_000);
    expect(rig.lost).toEqual(['refund-1043-li_2']);
    expect((await rig.answers()).map(({ kind }) => kind)).toEqual(['unknown']);
  });
});

/** Another writer that comes first. */
function anotherCallCloses(rig: PerformRig): () => Promise<void> {
  return async () => {
    const { events: before } = await rig.ledger.inner.load(REF);
    const call = callRef('chat-2/1/1/0');
    const closed = { kind: 'closed', generation: 1, tool: 'refund_line_item', provider: 'testing.refunds' } as const;
    await rig.ledger.inner.save({ ...REF, before, events: [{ ...closed, call, why: 'x' }] });
  };
}

describe('recording the answer', () => {
  test('the ledger is away for a moment → it is waited for, and the answer recorded once', async () => {
    const rig = new PerformRig();
    rig.ledger.before('save', () => undefined, outOfReach, outOfReach);
    const running = rig.run();
    await mockSleeps.advance(500);
    await expect(running).resolves.toMatchObject({ reply: { code: 'done' } });
    expect(await rig.answers()).toEqual([CONFIRMED]);
  });

  test('the save is written and its confirmation lost → it is not recorded again, and the call is done', async () => {
    const rig = new PerformRig();
    rig.ledger.after('save', () => undefined, outOfReach);
    const running = rig.run();
    await mockSleeps.advance(100);
    await expect(running).resolves.toMatchObject({ reply: { code: 'done', externalId: 're_1' } });
    expect(await rig.answers()).toEqual([CONFIRMED]);
    expect(rig.trail.slice(-2)).toEqual(['save answered', 'load']);
  });

  test('another writer wins the race → read again, and recorded after theirs', async () => {
    const rig = new PerformRig();
    rig.ledger.before('save', () => undefined, anotherCallCloses(rig));
    await expect(rig.run()).resolves.toMatchObject({ reply: { code: 'done' } });
    expect((await rig.events()).map(({ kind }) => kind)).toEqual(['registered', 'marked', 'closed', 'answered']);
  });

  test('the ledger stays away → the execution fails, and the answer is recorded when the ledger is back', async () => {
    const rig = new PerformRig();
    rig.ledger.before('save', () => undefined, ...Array.from({ length: 5 }, () => outOfReach));
    const running = rig.run().catch((error: unknown) => error);
    await mockSleeps.advance(6_000);
    await expect(running).resolves.toMatchObject({ message: 'The ledger is out of reach.' });
    await settle();
    expect(await rig.answers()).toEqual([CONFIRMED]);
    await expect(rig.run({ call: callRef('chat-1/1/1/0', 2) })).resolves.toMatchObject({ reply: { code: 'done' } });
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
  });

  test('the ledger goes away between a lost race and the next read → the answer is kept all the same', async () => {
    const rig = new PerformRig();
    rig.ledger.before('save', () => undefined, anotherCallCloses(rig));
    rig.ledger.before('load', () => undefined, outOfReach);
    await expect(rig.run()).rejects.toThrow('The ledger is out of reach.');
    await settle();
    expect(await rig.answers()).toEqual([CONFIRMED]);
  });
});

describe('a provider that misbehaves', () => {
  const throwing = (error: unknown) => () => {
    throw error;
  };

  test.each([
    ['rejects', () => Promise.reject(new Error('boom'))],
    ['throws before it gives a promise', throwing(new Error('boom'))],
    ['throws a text', throwing('boom')],
    ['throws what has no text', throwing(Object.create(null))],
    ['throws an error of two megabytes', throwing(new Error(`boom ${'x'.repeat(2_000_000)}`))],
  ])('%s → unknown, recorded once, and the contract of the key tells whether it is sent again', async (_what, send) => {
    const rig = new PerformRig({ send });
    await expect(rig.run()).resolves.toMatchObject({ kind: 'finish', reply: { code: 'outcome_unknown' } });
    expect(await rig.answers()).toMatchObject([{ kind: 'unknown', resend: 'allowed' }]);
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
    expect(JSON.stringify(await rig.events()).length).toBeLessThan(10_000);
  });

  test.each([
    ['gives undefined', async () => undefined as never],
    ['gives an unlisted outcome', async () => ({ kind: 'okay' }) as never],
    ['gives a success without its number', async () => ({ ...CONFIRMED, externalId: undefined }) as never],
    ['gives a success whose number is empty', async () => ({ ...CONFIRMED, externalId: '' }) as never],
    ['gives an outcome that JSON cannot take', async () => ({ ...CONFIRMED, externalId: 1n }) as never],
    ['gives an outcome without a receipt', async () => ({ kind: 'confirmed', externalId: 're_1' }) as never],
  ])('%s → unknown and unsafe, recorded once, and no call sends it again', async (_what, send) => {
    const rig = new PerformRig({ send });
    await expect(rig.run()).resolves.toMatchObject({ kind: 'finish', reply: { code: 'outcome_unknown' } });
    expect(await rig.answers()).toMatchObject([{ kind: 'unknown', resend: 'unsafe' }]);
    await rig.run({ call: callRef('chat-1/2/1/0') });
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
    expect(JSON.stringify(await rig.events()).length).toBeLessThan(10_000);
  });

  test('gives its outcome without a promise → it counts all the same', async () => {
    const rig = new PerformRig({ send: () => CONFIRMED as never });
    await expect(rig.run()).resolves.toMatchObject({ reply: { code: 'done', externalId: 're_1' } });
  });

  test('gives more than an outcome holds → what is too much is left out, what is too long is cut', async () => {
    const detail = 'x'.repeat(5_000_000);
    const rig = new PerformRig({
      send: async () => ({ ...CONFIRMED, receipt: { ...RECEIPT, detail }, raw: { socket: 1n } }) as never,
    });
    await expect(rig.run()).resolves.toMatchObject({ reply: { code: 'done' } });
    const [answer] = await rig.answers();
    expect(answer).toEqual({ ...CONFIRMED, receipt: { ...RECEIPT, detail: expect.stringMatching(/^x+… \(5000000 /) } });
  });
});
