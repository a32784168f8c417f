// Needs nothing.
import { performance } from 'node:perf_hooks';
import { LocalStopwatch } from '../../src/activities/local-send-deadline';
import { seconds } from '../../src/operations/time';
import type { SendDeadline } from '../../src/providers/provider';
import { callRef, REQUEST } from '../support/fixtures';
import { CONFIRMED, outOfReach, PerformRig, type PerformRigOptions } from '../support/perform-rig';

/** The two local clocks, in milliseconds; they stand still unless a test moves them. */
let monotonic = 0;
let wall = 0;
beforeEach(() => {
  monotonic = 5_000;
  wall = Date.UTC(2026, 0, 1);
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic);
  jest.spyOn(Date, 'now').mockImplementation(() => wall);
});
afterEach(() => jest.restoreAllMocks());

function pass(ms: number): void {
  monotonic += ms;
  wall += ms;
}

/** A rig, and what the deadline showed whenever the provider was asked to send. */
function watched(options: PerformRigOptions = {}) {
  const left: number[] = [];
  let deadline: SendDeadline | undefined;
  const rig = new PerformRig({
    ...options,
    send: async (send) => {
      left.push(send.deadline.remainingMs());
      deadline = send.deadline;
      return options.send ? options.send(send) : CONFIRMED;
    },
  });
  return { rig, left, remainingMs: () => deadline?.remainingMs() };
}

describe('the send deadline counts from before the read that the decision rests on', () => {
  test('nothing took time → all of sendWithin is left, and it goes on counting', async () => {
    const { rig, left, remainingMs } = watched();
    await rig.run();
    expect(left).toEqual([10_000]);
    pass(9_999);
    expect(remainingMs()).toBe(1);
    pass(2);
    expect(remainingMs()).toBe(-1);
  });

  test.each([
    ['the tool took longer than that', 12_000, 0, /resolve and request took 12000 ms/],
    ['the ledger took longer than that', 1_000, 12_000, /was over before the provider was called\.$/],
  ])('over before the provider is called → not submitted, and it is named where %s', async (_who, tool, save, why) => {
    const { rig, left } = watched({
      prepare: async () => {
        pass(tool);
        return { kind: 'prepared', request: REQUEST, intent: '{"quantity":1}' };
      },
    });
    rig.ledger.before('save', () => pass(save));
    await expect(rig.run()).resolves.toMatchObject({ kind: 'retry', why: expect.stringMatching(why) });
    expect(left).toEqual([]);
  });

  test('a slow read, a slow prepare and a slow save are taken off', async () => {
    const { rig, left } = watched({
      prepare: async () => {
        pass(2_000);
        return { kind: 'prepared', request: REQUEST, intent: '{"quantity":1}' };
      },
    });
    rig.ledger.before('load', () => pass(1_000));
    rig.ledger.after('load', () => pass(500));
    rig.ledger.before('save', () => pass(3_000));
    await rig.run();
    expect(left).toEqual([3_500]);
  });

  test('the time-out of the answer begins when the send deadline ends, and never earlier', async () => {
    const { rig } = watched();
    rig.ledger.before('load', () => pass(4_000));
    const [mark] = (await rig.run().then(() => rig.events())).filter((event) => event.kind === 'marked');
    expect(mark).toMatchObject({ kind: 'marked' });
    if (mark?.kind === 'marked') expect(mark.answerBy - mark.sendBy).toBe(30_000);
  });

  test('a wall clock that jumps ahead ends the deadline, though the monotonic clock stood still', async () => {
    const { rig, left } = watched();
    rig.ledger.before('save', () => {
      wall += 9_000;
    });
    await rig.run();
    expect(left).toEqual([1_000]);
  });

  test('a wall clock that is set back gains no time', async () => {
    const { rig, left } = watched();
    rig.ledger.before('save', () => {
      monotonic += 4_000;
      wall -= 3_600_000;
    });
    await rig.run();
    expect(left).toEqual([6_000]);
  });

  test('a lost race reads again, and the deadline begins anew with that read', async () => {
    const { rig, left } = watched();
    rig.ledger.before('save', async () => {
      pass(8_000);
      const call = callRef('chat-2/1/1/0');
      const events = [
        { kind: 'closed', generation: 1, tool: 'refund_line_item', provider: 'testing.refunds', call, why: 'x' },
        { kind: 'dropped', generation: 1, why: 'x' },
      ] as const;
      await rig.ledger.inner.save({ tenant: 'shop', operationId: 'refund-1043-li_2', before: [], events });
    });
    await rig.run();
    expect(left).toEqual([10_000]);
  });

  test('a query does not use up the deadline: what is decided on it rests on a read after it', async () => {
    const { rig, left } = watched({
      find: async () => {
        pass(25_000);
        return { kind: 'absent' };
      },
    });
    rig.ledger.after('save', outOfReach);
    await rig.run().catch(() => undefined);
    await rig.run({ call: callRef('chat-1/1/1/0', 2) });
    expect(rig.trail).toContain('find');
    expect(left).toEqual([10_000]);
  });
});

describe('after the deadline', () => {
  test('the provider is not even called: the attempt ends not-submitted, whatever the provider would have done', async () => {
    const { rig, left } = watched();
    rig.ledger.after('save', () => pass(24 * 3_600_000));
    await expect(rig.run()).resolves.toMatchObject({ kind: 'retry' });
    expect(left).toEqual([]);
    expect(await rig.answers()).toMatchObject([{ kind: 'not-submitted' }]);
  });

  test('at exactly the deadline nothing leaves; a millisecond before it, it does', async () => {
    const late = watched();
    late.rig.ledger.after('save', () => pass(10_000));
    await late.rig.run();
    expect(late.left).toEqual([]);
    const inTime = watched();
    inTime.rig.ledger.after('save', () => pass(9_999));
    await inTime.rig.run();
    expect(inTime.left).toEqual([1]);
  });
});

describe('the stopwatch', () => {
  test('shows whichever clock shows more', () => {
    const stopwatch = new LocalStopwatch();
    monotonic += 100;
    expect(stopwatch.elapsedMs()).toBe(100);
    wall += 250;
    expect(stopwatch.elapsedMs()).toBe(250);
    wall -= 10_000;
    expect(stopwatch.elapsedMs()).toBe(100);
    expect(stopwatch.deadline(seconds(1)).remainingMs()).toBe(900);
  });
});
