import { type Duration, days, minutes, seconds } from '../operations/time';

/** How reconciliation works. Durations are made by `seconds`, `minutes` and the like. */
export interface ReconciliationOptions {
  /** How often it looks for what is due, hints aside. */
  readonly every: Duration;
  /** Operations of one provider that are looked at side by side. */
  readonly concurrency: number;
  /** Operations of one provider that are begun in a second, at most. */
  readonly perSecond: number;
}

export interface ReconciliationLimits extends ReconciliationOptions {
  /** Operations of one provider in one pass. */
  readonly batch: number;
  /** How long a claimed operation is left to the worker that claimed it. */
  readonly lease: Duration;
  /** A pass begins no further look after this long. */
  readonly passWithin: Duration;
  /** An operation whose tool no worker has shown for so long goes before a person. */
  readonly orphanedAfter: Duration;
  /** How long one message may take to be told: a hook that never comes back would hold up every pass. */
  readonly tellWithin: Duration;
}

const DEFAULTS: ReconciliationOptions = { every: seconds(30), concurrency: 4, perSecond: 20 };

export function reconciliationLimits(options: Partial<ReconciliationOptions> = {}): ReconciliationLimits {
  const { every, concurrency, perSecond } = { ...DEFAULTS, ...options };
  if (every < seconds(1)) throw new RangeError('reconciliation.every must be a second at least.');
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`reconciliation.concurrency must be a whole number above zero, not ${String(concurrency)}.`);
  }
  if (!(Number.isFinite(perSecond) && perSecond > 0)) {
    throw new RangeError(`reconciliation.perSecond must be a number above zero, not ${String(perSecond)}.`);
  }
  return {
    every,
    concurrency,
    perSecond,
    batch: 50,
    lease: minutes(1),
    passWithin: seconds(20),
    orphanedAfter: days(1),
    tellWithin: seconds(30),
  };
}
