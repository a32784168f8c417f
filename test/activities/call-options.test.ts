// Needs nothing.
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { z } from 'zod';
import { callLimits } from '../../src/activities/call-limits';
import { callOptionsOf } from '../../src/activities/call-options';
import { withHeartbeats } from '../../src/activities/heartbeats';
import { FIND_WITHIN_MS } from '../../src/activities/perform';
import { id } from '../../src/operations/operation-id';
import { hours, milliseconds, minutes, seconds } from '../../src/operations/time';
import { defineOperation } from '../../src/tools/define-operation';
import { defineTool } from '../../src/tools/define-tool';
import { CONTRACT, PerformRig } from '../support/perform-rig';

const operation = (contract = CONTRACT) =>
  defineOperation({
    ...{ name: 'refund', description: '', input: z.object({}), resolve: () => ({ order: '1' }), request: () => ({}) },
    operationId: ({ order }) => id`refund-${order}`,
    provider: { ...new PerformRig().provider, contract },
  });
const read = defineTool({ name: 'read', description: '', input: z.object({}), run: async () => '' });

describe('the time-outs of a call’s activity', () => {
  test('an execution is never cut off by what it may wait for: a join, its queries, a send and its answer', () => {
    for (const contract of [CONTRACT, { ...CONTRACT, sendWithin: minutes(1), answerWithin: minutes(20) }]) {
      const { startToCloseMs } = callOptionsOf(operation({ ...contract, key: 'none' }), callLimits());
      const waits = seconds(5) + 2 * FIND_WITHIN_MS + contract.sendWithin + contract.answerWithin;
      expect(startToCloseMs).toBeGreaterThanOrEqual(waits + 60_000);
    }
  });

  test('a call may be tried for as long as the limits say, and at least twice', () => {
    const within = (limits: Parameters<typeof callLimits>[0]) =>
      callOptionsOf(operation(), callLimits(limits)).scheduleToCloseMs;
    expect(within({ callWithin: hours(1) })).toBe(3_600_000);
    const { startToCloseMs } = callOptionsOf(operation(), callLimits());
    expect(within({ callWithin: seconds(1) })).toBe(2 * startToCloseMs);
  });

  test('a read has a minute', () => {
    const limits = callLimits({ callWithin: minutes(10), heartbeatWithin: seconds(7) });
    expect(callOptionsOf(read, limits)).toEqual({
      ...{ startToCloseMs: 60_000, heartbeatMs: 7_000, scheduleToCloseMs: 600_000 },
    });
    expect(callOptionsOf(read, callLimits({ callWithin: seconds(1) })).scheduleToCloseMs).toBe(60_000);
  });
});

describe('the limits', () => {
  test('have defaults, each of which can be changed alone', () => {
    expect(callLimits({ notSubmittedAttempts: 1 })).toEqual({
      ...{ joinWithin: 5_000, joinPollEvery: 100, notSubmittedAttempts: 1, leftBehindAfter: 900_000 },
      ...{ heartbeatWithinMs: 10_000, callWithinMs: 600_000 },
    });
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%p attempts are refused', (notSubmittedAttempts) => {
    expect(() => callLimits({ notSubmittedAttempts })).toThrow(/must be a whole number above zero/);
  });
});

describe('heartbeats', () => {
  function environment(heartbeatTimeoutMs?: number) {
    const beating = new MockActivityEnvironment(heartbeatTimeoutMs === undefined ? {} : { heartbeatTimeoutMs }, {
      logger: new DefaultLogger('ERROR'),
    });
    let beats = 0;
    beating.on('heartbeat', () => beats++);
    return { run: (work: () => Promise<unknown>) => beating.run(() => withHeartbeats(work)), beats: () => beats };
  }

  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance'] }));
  afterEach(() => jest.useRealTimers());

  test('none at once, and several within the time-out', async () => {
    const { run, beats } = environment(400);
    void run(() => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(0);
    expect(beats()).toBe(0);
    await jest.advanceTimersByTimeAsync(400);
    expect(beats()).toBe(4);
  });

  test.each([
    ['succeeds', async () => undefined],
    ['fails', () => Promise.reject(new Error('x'))],
  ])('end when the work %s', async (_how, work) => {
    const { run, beats } = environment(400);
    await run(work).catch(() => undefined);
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(beats()).toBe(0);
  });

  test.each([undefined, 0, 60_000])('of a time-out of %p: one every two seconds', async (timeout) => {
    const { run, beats } = environment(timeout);
    void run(() => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(6_000);
    expect(beats()).toBe(3);
  });
});

test('a duration is made by its functions, and never of what is no length of time', () => {
  expect(() => milliseconds(-1)).toThrow(RangeError);
  expect(() => milliseconds(Number.NaN)).toThrow(RangeError);
});
