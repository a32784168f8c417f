// Needs nothing.
import { seconds } from '../../src/operations/time';
import { callRef, marked, REQUEST, registered } from '../support/fixtures';
import { CONFIRMED, LIMITS, outOfReach, PerformRig } from '../support/perform-rig';

const notSubmitted = (why: string) =>
  ({ kind: 'not-submitted', why, receipt: { requestId: null, httpStatus: null, detail: '' } }) as const;

describe('what an execution costs', () => {
  test('a new operation: one read and two commits, the mark before the send and the answer after it', async () => {
    const rig = new PerformRig();
    await expect(rig.run()).resolves.toMatchObject({ kind: 'finish', reply: { code: 'done', externalId: 're_1' } });
    expect(rig.trail).toEqual([
      ...['load', 'check', 'prepare', 'check'],
      ...['save registered, marked', 'send', 'save answered'],
    ]);
  });

  test('a repeated call to a settled operation: one read', async () => {
    const rig = new PerformRig({ find: async () => ({ kind: 'absent' }) });
    await rig.run();
    rig.trail.length = 0;
    const end = await rig.run({ call: callRef('chat-1/2/1/0') });
    expect(end).toMatchObject({ kind: 'finish', reply: { code: 'already_done', externalId: 're_1' } });
    expect(rig.trail).toEqual(['load']);
  });

  test('the same call again, its answer recorded: one read, and it hears the same', async () => {
    const rig = new PerformRig();
    const first = await rig.run();
    rig.trail.length = 0;
    expect(first).toMatchObject({ kind: 'finish', answered: { kind: 'confirmed' } });
    expect(await rig.run({ call: callRef('chat-1/1/1/0', 2) })).toEqual({ ...first, answered: null });
    expect(rig.trail).toEqual(['load']);
  });
});

describe('nothing is sent unless its mark was saved', () => {
  test('a ledger that cannot be read → the execution fails, nothing is prepared or sent', async () => {
    const rig = new PerformRig();
    rig.ledger.before('load', outOfReach);
    await expect(rig.run()).rejects.toThrow('out of reach');
    expect(rig.trail).toEqual(['load']);
  });

  test('a mark that cannot be saved → the execution fails at once, nothing is sent', async () => {
    const rig = new PerformRig();
    rig.ledger.before('save', outOfReach);
    await expect(rig.run()).rejects.toThrow('out of reach');
    expect(rig.trail).not.toContain('send');
    expect(await rig.events()).toEqual([]);
  });

  test('a mark whose confirmation is lost → nothing is sent; the next attempt sends the stored request once', async () => {
    const rig = new PerformRig();
    rig.ledger.after('save', outOfReach);
    await expect(rig.run()).rejects.toThrow('out of reach');
    expect(rig.trail).not.toContain('send');
    const end = await rig.run({ call: callRef('chat-1/1/1/0', 2) });
    expect(end).toMatchObject({ kind: 'finish', reply: { code: 'done', attempts: 2 } });
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
  });

  test('a lost confirmation at a provider that knows no key → never sent again, and said to be unknown', async () => {
    const rig = new PerformRig({ contract: { key: 'none' } });
    rig.ledger.after('save', outOfReach);
    await expect(rig.run()).rejects.toThrow('out of reach');
    const end = await rig.run({ call: callRef('chat-1/1/1/0', 2) });
    expect(end).toMatchObject({ kind: 'finish', reply: { code: 'outcome_unknown' } });
    expect(rig.trail).not.toContain('send');
  });

  test('a race lost to another call’s mark → nothing is sent, the call joins that attempt', async () => {
    const rig = new PerformRig();
    const call = callRef('chat-2/1/1/0');
    const events = [registered({ provider: 'testing.refunds', call }), marked({ call })];
    rig.ledger.before('save', async () => {
      const ref = { tenant: 'shop', operationId: 'refund-1043-li_2' };
      await rig.ledger.inner.save({ ...ref, before: [], events });
    });
    await expect(rig.run()).resolves.toMatchObject({ kind: 'finish', reply: { code: 'in_progress' } });
    expect(rig.trail).not.toContain('send');
    expect(await rig.events()).toHaveLength(2);
  });

  test('of two executions of different calls at once one sends', async () => {
    const rig = new PerformRig({
      send: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return CONFIRMED;
      },
    });
    const limits = { ...LIMITS, joinWithin: seconds(5) };
    const ends = await Promise.all([rig.run({ limits }), rig.run({ call: callRef('chat-1/1/1/1'), limits })]);
    const codes = ends.map((end) => (end.kind === 'finish' ? end.reply.code : end.kind));
    expect(codes.sort()).toEqual(['already_done', 'done']);
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
  });

  test('a refused prepare → nothing is registered or sent, and the call is fenced', async () => {
    const rig = new PerformRig({ prepare: async () => ({ kind: 'refused', message: 'No such line.' }) });
    const end = await rig.run();
    expect(end).toMatchObject({ reply: { code: 'invalid_input', text: 'No such line. Nothing was sent.' } });
    expect((await rig.events()).map(({ kind }) => kind)).toEqual(['closed', 'dropped']);
    expect(rig.trail).not.toContain('send');
  });

  test('a prepare that fails → the execution fails, nothing is saved', async () => {
    const rig = new PerformRig({ prepare: () => Promise.reject(new Error('The shop is down.')) });
    await expect(rig.run()).rejects.toThrow('The shop is down.');
    expect(await rig.events()).toEqual([]);
  });
});

describe('one send an execution', () => {
  test('not submitted → the execution ends with “retry”, and the next one sends', async () => {
    const rig = new PerformRig({ send: async () => notSubmitted('The connection was refused.') });
    expect(await rig.run()).toMatchObject({ kind: 'retry', why: 'The connection was refused.' });
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
    await rig.run({ call: callRef('chat-1/1/1/0', 2) });
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(2);
  });

  test('as many attempts as the limit says did not leave → not_submitted, and nothing leaves any more', async () => {
    const rig = new PerformRig({ send: async () => notSubmitted('The connection was refused.') });
    const ends = [];
    for (let attempt = 1; attempt <= 6; attempt++) ends.push(await rig.run({ call: callRef('chat-1/1/1/0', attempt) }));
    expect(ends.map(({ kind }) => kind)).toEqual(['retry', 'retry', 'retry', 'retry', 'finish', 'finish']);
    expect(ends.at(-1)).toMatchObject({ reply: { code: 'not_submitted', isError: true, attempts: 5 } });
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(5);
  });

  test('the attempt of a later call is the stored request again, whatever that call prepares', async () => {
    const bodies: string[] = [];
    const rig = new PerformRig({
      prepare: async () => ({
        kind: 'prepared',
        request: { ...REQUEST, body: `body ${bodies.length}` },
        intent: '{"quantity":1}',
      }),
      send: async ({ request }) => {
        bodies.push(request.body);
        return { kind: 'unknown', why: 'Reset.', resend: 'allowed', receipt: CONFIRMED.receipt };
      },
    });
    await rig.run();
    await rig.run({ call: callRef('chat-1/2/1/0') });
    expect(bodies).toEqual(['body 0', 'body 0']);
  });
});

describe('cancelling', () => {
  const cancelledAt = (place: number) => {
    let asked = 0;
    return () => {
      if (++asked === place) throw new Error('Cancelled.');
    };
  };

  test('is asked before prepare: nothing is read, registered or sent', async () => {
    const rig = new PerformRig({ checkCancelled: cancelledAt(1) });
    await expect(rig.run()).rejects.toThrow('Cancelled.');
    expect(rig.trail).toEqual(['load', 'check']);
  });

  test('is asked before the mark: nothing is registered or sent', async () => {
    const rig = new PerformRig({ checkCancelled: cancelledAt(2) });
    await expect(rig.run()).rejects.toThrow('Cancelled.');
    expect(rig.trail).toEqual(['load', 'check', 'prepare', 'check']);
    expect(await rig.events()).toEqual([]);
  });

  test('is not asked from the mark on: what is marked is sent, and its answer recorded', async () => {
    const rig = new PerformRig();
    rig.ledger.before('save', () => undefined, outOfReach);
    await rig.run();
    const mark = rig.trail.indexOf('save registered, marked');
    expect(rig.trail.slice(mark)).toEqual(['save registered, marked', 'send', 'save answered', 'save answered']);
  });

  test('is asked before a resend is marked, and keeps what the query found for the next attempt to find', async () => {
    const rig = new PerformRig({ find: async () => ({ kind: 'absent' }), checkCancelled: cancelledAt(3) });
    rig.ledger.after('save', outOfReach);
    await expect(rig.run()).rejects.toThrow('out of reach');
    await expect(rig.run({ call: callRef('chat-1/1/1/0', 2) })).rejects.toThrow('Cancelled.');
    expect(rig.trail).not.toContain('send');
    expect(await rig.events()).toHaveLength(2);
  });

  test('does not keep a refused call from being fenced', async () => {
    const rig = new PerformRig({
      prepare: async () => ({ kind: 'refused', message: 'No such line.' }),
      checkCancelled: cancelledAt(2),
    });
    await expect(rig.run()).resolves.toMatchObject({ reply: { code: 'invalid_input' } });
  });
});
