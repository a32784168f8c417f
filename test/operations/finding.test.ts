// Needs nothing.
import fc from 'fast-check';
import type { Evidence } from '../../src/operations/evidence';
import { days, hours } from '../../src/operations/time';
import { drive, LedgerOfOne, setup } from './drive';
import {
  ABSENT,
  answered,
  CALL_A,
  effect,
  evidence,
  found,
  INCONCLUSIVE,
  marked,
  NONE,
  NOON,
  PROVEN,
  registered,
  said,
  unknown,
} from './fixtures';

const UNKNOWN = [registered(), marked(), answered(unknown('pointless'))] as const;
const ASKING = { ...CALL_A, callId: 'chat-912/2/1/0' };

/** Looks, each after so long, by which nobody is told anything new. */
function lookAt(ledger: LedgerOfOne, seen: readonly Evidence[], parts: Parameters<typeof setup>[0] = {}): void {
  for (const what of seen) {
    drive(ledger, setup({ purpose: 'check', intent: '', call: ASKING, ...parts }), { evidence: what });
    ledger.advance(hours(1));
  }
}

const looksOf = (ledger: LedgerOfOne) => ledger.kinds.filter((kind) => kind === 'evidence').length;

describe('what a look tells', () => {
  test('is recorded once for each way of showing nothing, however the two take turns', () => {
    const ledger = new LedgerOfOne(...UNKNOWN);
    lookAt(ledger, [ABSENT, INCONCLUSIVE, ABSENT, { kind: 'inconclusive', why: 'page 3 failed' }, ABSENT]);
    // The third is the first that began after nothing could arrive any more.
    expect(ledger.events.slice(3)).toMatchObject([
      { evidence: ABSENT, begunAt: NOON },
      { evidence: INCONCLUSIVE },
      { evidence: ABSENT, begunAt: NOON + hours(2) },
    ]);
  });

  test('is recorded again after the next attempt, of which the looks before it say nothing', () => {
    const ledger = new LedgerOfOne(...UNKNOWN);
    lookAt(ledger, [INCONCLUSIVE, INCONCLUSIVE]);
    ledger.add(marked(1, 2, { decidedAt: ledger.now }), answered(unknown('pointless'), 1, 2));
    lookAt(ledger, [INCONCLUSIVE, INCONCLUSIVE]);
    expect(looksOf(ledger)).toBe(2);
  });

  test('is recorded where one effect is known and another is not', () => {
    const ledger = new LedgerOfOne(...UNKNOWN);
    lookAt(ledger, [found([effect('re_1')], false), found([effect('re_1'), effect('re_2')], false)]);
    expect(looksOf(ledger)).toBe(2);
  });

  test('is recorded though a fence showed the same: that was no look of ours', () => {
    const ledger = new LedgerOfOne(...UNKNOWN, evidence(ABSENT, { source: 'fence' }));
    lookAt(ledger, [ABSENT]);
    expect(ledger.events.slice(4)).toMatchObject([{ source: 'query', evidence: ABSENT }]);
  });

  test('is recorded once as proof, also of what a person settled', () => {
    const ledger = new LedgerOfOne(...UNKNOWN, evidence(ABSENT), said(NONE, 4));
    ledger.advance(hours(2));
    lookAt(ledger, [ABSENT, ABSENT, ABSENT], { contract: PROVEN });
    expect(ledger.events.slice(5)).toMatchObject([{ kind: 'evidence', final: true }]);
  });

  test('makes no history grow without end: any number of looks by which nothing comes to light', () => {
    const nothing = fc.oneof(
      fc.constant(ABSENT),
      fc.string().map((why): Evidence => ({ kind: 'inconclusive', why })),
      fc.constant(found([effect('re_9', 'succeeded', { key: null, mismatch: 'its amount is 5, not 4900' })])),
    );
    fc.assert(
      fc.property(fc.array(nothing, { minLength: 5, maxLength: 40 }), fc.boolean(), (seen, proven) => {
        const ledger = new LedgerOfOne(...UNKNOWN);
        lookAt(ledger, seen, proven ? { contract: { ...PROVEN, absence: { ...absence, until: days(1) } } } : {});
        // Nothing in two ways, the strange object, a complete look after the last arrival, and a proof.
        expect(looksOf(ledger)).toBeLessThanOrEqual(5);
      }),
      { numRuns: 200 },
    );
  });
});

const absence = { neverAcceptedAfter: hours(1) };
