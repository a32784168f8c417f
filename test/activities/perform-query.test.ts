// Needs nothing.
import type { Evidence } from '../../src/operations/evidence';
import type { Outcome } from '../../src/operations/outcome';
import { FakeSleep, settle } from '../support/fake-sleep';
import { callRef, RECEIPT } from '../support/fixtures';
import { CONFIRMED, outOfReach, PerformRig, type PerformRigOptions } from '../support/perform-rig';

const mockSleeps = new FakeSleep();
jest.mock('node:timers/promises', () => ({
  setTimeout: (...args: Parameters<FakeSleep['setTimeout']>) => mockSleeps.setTimeout(...args),
}));
afterEach(() => {
  // No timer outlives an execution.
  expect(mockSleeps.pending).toBe(0);
});

const UNKNOWN: Outcome = { kind: 'unknown', why: 'Reset.', resend: 'allowed', receipt: RECEIPT };
const NEXT_CALL = { call: callRef('chat-1/2/1/0') };

/** An operation whose only attempt ended unknown, at a provider that can be asked. */
async function unknownOperation(find: NonNullable<PerformRigOptions['find']>, sends: Outcome[] = []) {
  const outcomes = [UNKNOWN, ...sends];
  const rig = new PerformRig({ find, send: async () => outcomes.shift() ?? CONFIRMED });
  await rig.run();
  rig.trail.length = 0;
  return rig;
}

const found = (change: object = {}): Evidence => ({
  kind: 'found',
  complete: true,
  effects: [{ externalId: 're_1', status: 'succeeded', key: null, mismatch: null, ...change }],
});

describe('a call to an operation that is unknown', () => {
  test('asks first; found → recorded, told, nothing is sent', async () => {
    const rig = await unknownOperation(async () => found());
    await expect(rig.run(NEXT_CALL)).resolves.toMatchObject({ reply: { code: 'already_done', externalId: 're_1' } });
    expect(rig.trail).toEqual(['load', 'find', 'load', 'save evidence']);
  });

  test('asks first; absent → the same key again, and what was found is saved with the mark', async () => {
    const rig = await unknownOperation(async () => ({ kind: 'absent' }));
    await expect(rig.run(NEXT_CALL)).resolves.toMatchObject({ reply: { code: 'done', attempts: 2 } });
    expect(rig.trail).toEqual([
      ...['load', 'find', 'load', 'check'],
      ...['save evidence, marked', 'send', 'save answered'],
    ]);
  });

  test.each([
    ['says that it does not know', async (): Promise<Evidence> => ({ kind: 'inconclusive', why: 'No access.' })],
    ['rejects', () => Promise.reject(new Error('boom'))],
    [
      'throws before it gives a promise',
      () => {
        throw new Error('boom');
      },
    ],
    ['gives undefined', async () => undefined as never],
    ['gives an unlisted kind', async () => ({ kind: 'gone' }) as never],
    ['gives effects without numbers', async () => found({ externalId: undefined })],
    ['gives an unlisted status', async () => found({ status: 'requires_action' })],
    ['gives “found” with nothing in it', async (): Promise<Evidence> => ({ ...found(), effects: [] }) as Evidence],
  ])('a query that %s → inconclusive: nothing is sent, the outcome stays unknown', async (_what, find) => {
    const rig = await unknownOperation(find);
    await expect(rig.run(NEXT_CALL)).resolves.toMatchObject({ reply: { code: 'outcome_unknown' } });
    expect(rig.trail).not.toContain('send');
    expect((await rig.events()).at(-1)).toMatchObject({ kind: 'evidence', evidence: { kind: 'inconclusive' } });
  });

  test.each<[string, (query: PromiseWithResolvers<Evidence>) => void]>([
    ['brings', ({ resolve }) => resolve({ kind: 'absent' })],
    ['fails with', ({ reject }) => reject(new Error('boom'))],
  ])(
    'a query that hangs → inconclusive after 30 seconds, and what it %s later is nothing any more',
    async (_how, end) => {
      const query = Promise.withResolvers<Evidence>();
      const rig = await unknownOperation(() => query.promise);
      const running = rig.run(NEXT_CALL);
      await mockSleeps.advance(30_000);
      await expect(running).resolves.toMatchObject({ reply: { code: 'outcome_unknown' } });
      const events = await rig.events();
      expect(events.at(-1)).toMatchObject({ evidence: { kind: 'inconclusive', why: 'No answer within 30000 ms.' } });
      end(query);
      await settle();
      expect(await rig.events()).toEqual(events);
      expect(rig.trail).not.toContain('send');
    },
  );

  test('is asked once an execution, however the query ends', async () => {
    const rig = await unknownOperation(async () => ({ kind: 'inconclusive', why: 'No access.' }));
    await rig.run(NEXT_CALL);
    expect(rig.trail.filter((entry) => entry === 'find')).toHaveLength(1);
  });

  test('what was found cannot be saved → the execution fails, nothing is sent', async () => {
    const rig = await unknownOperation(async () => ({ kind: 'absent' }));
    rig.ledger.before('save', outOfReach);
    await expect(rig.run(NEXT_CALL)).rejects.toThrow('out of reach');
    expect(rig.trail).not.toContain('send');
  });
});

describe('looking', () => {
  const look = { purpose: 'look', ...NEXT_CALL } as const;

  test('records what it finds, and never sends: not even where the same key might be used', async () => {
    const rig = await unknownOperation(async () => ({ kind: 'absent' }));
    await expect(rig.run(look)).resolves.toMatchObject({ reply: { code: 'outcome_unknown' } });
    expect(rig.trail).toEqual(['load', 'find', 'load', 'save evidence']);
  });

  test('at a settled operation: one read', async () => {
    const rig = await unknownOperation(async () => found());
    await rig.run(NEXT_CALL);
    rig.trail.length = 0;
    await expect(rig.run(look)).resolves.toMatchObject({ reply: { code: 'already_done' } });
    expect(rig.trail).toEqual(['load']);
  });
});

describe('joining', () => {
  test('a call that meets another one’s attempt in flight waits as long as it may, then says in_progress', async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const rig = new PerformRig({ send: () => promise });
    const first = rig.run();
    await settle();
    const second = rig.run(NEXT_CALL);
    await mockSleeps.advance(20);
    await expect(second).resolves.toMatchObject({ reply: { code: 'in_progress', retryAction: 'query-status' } });
    resolve(CONFIRMED);
    await first;
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
  });

  test('and hears the outcome if that comes in time', async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const rig = new PerformRig({ send: () => promise });
    const first = rig.run();
    await settle();
    const second = rig.run(NEXT_CALL);
    await mockSleeps.advance(10);
    resolve(CONFIRMED);
    await settle();
    await mockSleeps.advance(10);
    await expect(second).resolves.toMatchObject({ reply: { code: 'already_done', externalId: 're_1' } });
    await first;
  });
});
