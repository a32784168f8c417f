// Needs nothing.
import type { Outcome } from '../../src/operations/outcome';
import { hours } from '../../src/operations/time';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { callRef, RECEIPT, T0 } from '../support/fixtures';
import { PerformRig } from '../support/perform-rig';

const LOST: Outcome = { kind: 'unknown', why: 'The answer is lost.', resend: 'allowed', receipt: RECEIPT };

/** A provider that keeps its contract by true time: it knows a key for 24 hours, then the same key is a new request. */
class ForgettingProvider {
  readonly effects: string[] = [];
  trueNow = 0;
  readonly #known = new Map<string, number>();

  send = async ({ key }: { key: string }): Promise<Outcome> => {
    const since = this.#known.get(key);
    if (since === undefined || this.trueNow - since >= hours(24)) {
      this.#known.set(key, this.trueNow);
      this.effects.push(`re_${this.effects.length + 1}`);
    }
    return LOST;
  };
}

describe('a clock that is set back after the window of a key ended', () => {
  test.each([
    // Absence is inconclusive by contract: a list that lags is allowed.
    { how: 'where queries show nothing', find: { find: async () => ({ kind: 'absent' }) as const }, intents: [1, 1] },
    { how: 'where nobody can be asked, and others are told of a conflict', find: {}, intents: [9, 8] },
  ])('makes no second effect, $how', async ({ find, intents }) => {
    const ledger = new InMemoryLedger(T0);
    const provider = new ForgettingProvider();
    const rig = new PerformRig({ ledger, send: provider.send, ...find });
    const call = (step: number, quantity: number | undefined = 1) =>
      rig.run({ call: callRef(`chat-1/1/${step}/0`), intent: `{"quantity":${quantity}}` });

    await call(1);
    provider.trueNow += hours(25);
    ledger.advance(hours(25));
    await call(2, intents[0]);
    ledger.advance(-hours(24));
    await call(3, intents[1]);
    await call(4);

    // Beside the first call's three: something that was written after the window, by whose time it stays over.
    expect((await rig.events()).length).toBeGreaterThan(3);
    expect(provider.effects).toEqual(['re_1']);
    expect(rig.trail.filter((entry) => entry === 'send')).toHaveLength(1);
  });
});
