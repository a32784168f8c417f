// Needs nothing.
import type { Contract } from '../../src/operations/contract';
import { endOf } from '../../src/operations/end';
import type { OperationEvent } from '../../src/operations/event';
import { days, hours } from '../../src/operations/time';
import {
  accepted,
  answered,
  CONTRACT,
  folded,
  marked,
  NOON,
  notSubmitted,
  PROVEN,
  registered,
  unknown,
} from './fixtures';

const NO_KEY: Contract = { ...CONTRACT, key: 'none' };
const LATER = marked(1, 2, { decidedAt: NOON + 60_000 });

function end(contract: Contract, ...events: readonly OperationEvent[]): number | null {
  return endOf(folded(registered(), ...events), contract);
}

describe('the moment after which a person is called', () => {
  test('is none where nothing may have left', () => {
    expect(end(CONTRACT)).toBeNull();
    expect(end(CONTRACT, marked(), answered(notSubmitted()))).toBeNull();
  });

  test('is the end of the window in which the key may be sent again', () => {
    expect(end(CONTRACT, marked(), answered(unknown()))).toBe(NOON + hours(23.5));
  });

  test('without a key counts from the first attempt that may have left, however many follow', () => {
    expect(end(NO_KEY, marked(), answered(unknown()), LATER)).toBe(NOON + hours(24));
    expect(end(NO_KEY, marked(), answered(notSubmitted()), LATER)).toBe(NOON + 60_000 + hours(24));
  });

  test('of what the provider took is the end of the time in which pending is normal', () => {
    const contract = { ...CONTRACT, acceptedFor: days(3) };
    expect(end(contract, marked(), answered(accepted()))).toBe(NOON + days(3));
  });

  test('waits for the look that can prove absence, where that comes later', () => {
    const slow: Contract = { ...PROVEN, absence: { neverAcceptedAfter: days(2), until: days(30) } };
    expect(end(slow, marked(), answered(unknown()))).toBe(NOON + 310_000 + days(2) + 1);
    expect(end(PROVEN, marked(), answered(unknown()))).toBe(NOON + hours(23.5));
  });
});
