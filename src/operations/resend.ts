import { isOpen, isPossible } from './attempt';
import type { Contract, KeyWindow } from './contract';
import type { Generation } from './generation';
import type { Instant } from './time';

export type ResendVerdict = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

/**
 * Whether the same key and request may be sent once more (rules 6, 8 and 9). `now` is the ledger time of the read that
 * the decision rests on: the attempt then leaves within sendWithin and arrives within deliverWithin, which the key's
 * margin covers. Absence is the caller's question: where a query exists, it must have been complete and empty.
 */
export function mayResend(generation: Generation, contract: Contract, now: Instant): ResendVerdict {
  const { attempts } = generation;
  if (contract.key === 'none') return no('the provider knows no idempotency key');
  const ends = windowEnd(generation, contract.key);
  // Nothing may have left: the window has not begun.
  if (ends === null) return { allowed: true };
  if (now >= ends) return no('the window of its key is over');
  const resends = attempts
    .map(({ outcome }) => outcome)
    .filter((outcome) => outcome?.kind === 'unknown')
    .map(({ resend }) => resend);
  if (resends.includes('pointless')) return no('the provider stored an error under the key and would only repeat it');
  if (resends.includes('unsafe')) return no('the provider may not have stored the key');
  if (!repeatsSafely(contract.key) && attempts.some(isOpen))
    return no('the provider stores the key with successes only');
  return { allowed: true };
}

/** When the last resend must have been decided: from the first attempt that may have left, the window less its margin. */
export function windowEnd(generation: Generation, key: KeyWindow): Instant | null {
  const decided = generation.attempts.filter(isPossible).map((attempt) => attempt.decidedAt);
  return decided.length === 0 ? null : Math.min(...decided) + key.window - key.margin;
}

function repeatsSafely(key: KeyWindow): boolean {
  return key.replays !== 'successes' || key.effectAndSuccessAreOne === true;
}

function no(why: string): ResendVerdict {
  return { allowed: false, why };
}
