import type { EffectStatus } from '../../operations/evidence';
import type { Outcome, UnknownOutcome } from '../../operations/outcome';
import type { ExpectedRefund } from './expected-refund';
import type { ReadAnswer } from './read-answer';
import { effectStatus, markMismatch, type RefundObject, targetMismatch } from './refund-object';
import type { StripeErrorBody } from './stripe-error';
import { isForeignMode, isKeyInUse, isKeyTrouble, isTurnedAway, rejection, said } from './stripe-refusals';

type WithoutReceipt<T> = T extends Outcome ? Omit<T, 'receipt'> : never;
export type Verdict = WithoutReceipt<Outcome>;

interface RefundCase extends ReadAnswer {
  readonly object: RefundObject;
  readonly effect: EffectStatus | null;
  readonly mismatch: string | null;
}

interface ErrorCase extends ReadAnswer {
  readonly body: StripeErrorBody;
}

interface Rule<Case> {
  /** The rows of the test's table that the rule answers for. */
  readonly rows: string;
  readonly fits: (found: Case) => boolean;
  readonly verdict: (found: Case) => Verdict;
}

/**
 * The classification table of `POST /v1/refunds` for answers that were read to the end: the first rule that fits
 * decides, and what no rule names is `unknown`. (No answer: `not-submitted` if nothing was written, else `unknown`;
 * see `refund-outcome.ts`.)
 */
const REFUND_RULES: readonly Rule<RefundCase>[] = [
  {
    // Our key brought something else. Whatever it is, the key no longer protects: nothing is sent under it again.
    rows: 'mismatch',
    fits: ({ mismatch }) => mismatch !== null,
    verdict: ({ object, mismatch }) => alarm(`Stripe answered our key with ${object.id}, but ${mismatch}.`),
  },
  {
    // The first answer as it was stored; its status may be old. Read again before anybody believes it. What it was then
    // is kept: a refund that had succeeded and is failed now came back, and that is no plain failure.
    rows: 'S4',
    fits: ({ replayed }) => replayed !== 'no',
    verdict: ({ object, effect }) => ({
      kind: 'accepted',
      externalId: object.id,
      replayed: true,
      ...(effect !== null && { status: effect }),
    }),
  },
  {
    rows: 'S1',
    fits: ({ effect }) => effect === 'succeeded',
    verdict: ({ object }) => ({ kind: 'confirmed', externalId: object.id }),
  },
  {
    rows: 'S2',
    fits: ({ effect }) => effect === 'pending',
    verdict: ({ object }) => ({ kind: 'accepted', externalId: object.id, replayed: false }),
  },
  {
    // It never was anything but failed, and the key repeats it: no attempt of this key moved money.
    rows: 'S3',
    fits: ({ effect }) => effect === 'failed',
    verdict: ({ object }) => ({
      kind: 'rejected',
      covers: 'all',
      code: object.failure_reason ?? `refund_${object.status}`,
      message: `Stripe created the refund ${object.id}, and it ${object.status === 'canceled' ? 'was canceled' : 'failed'} at once.`,
      externalId: object.id,
    }),
  },
  {
    rows: 'unlisted status',
    fits: () => true,
    verdict: ({ object }) =>
      unknown(`The refund ${object.id} has the status ${String(object.status)}, which is not known.`, 'pointless'),
  },
];

const ERROR_RULES: readonly Rule<ErrorCase>[] = [
  {
    rows: 'S23',
    fits: ({ status }) => status < 400,
    verdict: ({ status }) => unknown(`HTTP ${status} with an error in it.`, 'allowed'),
  },
  {
    // An earlier send of this key still runs (older answers call it an invalid request: stripity-stripe#564).
    rows: 'S17',
    fits: ({ body }) => isKeyInUse(body),
    verdict: () => unknown('An earlier request with this key is still running at Stripe.', 'allowed'),
  },
  {
    // This key was used with other parameters: by whom, and with what effect, is open. Stripe may have pruned that use
    // before our own window ends, and then the same bytes would make a second refund.
    rows: 'S13',
    fits: ({ status, body }) => isKeyTrouble(status, body),
    verdict: ({ body }) => alarm('Stripe knows our key from another request.', said(body)),
  },
  {
    // Stripe does not know either what became of it. A 500 is stored and only repeated.
    rows: 'S20 S21 S22',
    fits: ({ status, body }) => status >= 500 || status === 424 || body.type === 'api_error',
    verdict: (found) =>
      unknown(
        `Stripe failed with HTTP ${found.status} (${said(found.body)}).`,
        isStored(found) ? 'pointless' : 'allowed',
      ),
  },
  {
    // Turned away at the door, before the key was looked at (docs/providers/stripe.md). A stored answer cannot be one of these.
    rows: 'S14 S18 S19 S16 (wrong mode)',
    fits: (found) => found.replayed === 'no' && (isTurnedAway(found.status, found.body) || isForeignMode(found.body)),
    verdict: ({ status, body }) => ({
      kind: 'not-submitted',
      why: `Stripe turned the request away with HTTP ${status} (${said(body)}).`,
    }),
  },
  {
    // A refusal that Stripe stored with the key, so it was the answer to every attempt of this key. Not a 404: that is
    // what another account says, which a wrong secret key leads to, and its stored answers are about its own keys.
    rows: 'S15, and S10 S11 S12 replayed',
    fits: (found) =>
      isRefusal(found) &&
      ((found.replayed === 'yes' && found.status !== 404) || (found.replayed === 'no' && found.status === 402)),
    verdict: (found) => rejected(found, 'all'),
  },
  {
    // Refused before execution, or in it (S11, S12): which of the two no answer tells. So it speaks for itself only.
    rows: 'S10 S11 S12 S16',
    fits: (found) =>
      isRefusal(found) && (found.replayed === 'no' || (found.replayed === 'yes' && found.status === 404)),
    verdict: (found) => rejected(found, 'attempt'),
  },
];

export function verdictOn(answer: ReadAnswer, expected: ExpectedRefund): Verdict {
  const { refund: object, error: body } = answer;
  if (object !== null && answer.status === 200) {
    const mismatch = targetMismatch(object, expected) ?? markMismatch(object, expected);
    const verdict = decide(REFUND_RULES, { ...answer, object, effect: effectStatus(object), mismatch });
    if (verdict !== null) return verdict;
  }
  if (body !== null) {
    const verdict = decide(ERROR_RULES, { ...answer, body });
    if (verdict !== null) return verdict;
  }
  return unlisted(answer);
}

function decide<Case>(rules: readonly Rule<Case>[], found: Case): Verdict | null {
  return rules.find((rule) => rule.fits(found))?.verdict(found) ?? null;
}

/** S5 to S9, and whatever else may come. */
function unlisted(answer: ReadAnswer): Verdict {
  const what = answer.json === undefined ? 'a body that is no JSON' : 'an answer that is not listed';
  return unknown(`HTTP ${answer.status} with ${what}.`, answer.replayed === 'no' ? 'allowed' : 'pointless');
}

function unknown(why: string, resend: UnknownOutcome['resend']): Verdict {
  return { kind: 'unknown', why, resend };
}

/** Our key or ID on something else: for a person, and nothing is sent any more. */
function alarm(what: string, words?: string): Verdict {
  const why = words === undefined ? what : `${what} It says: ${words}`;
  return { kind: 'unknown', why, resend: 'unsafe', alarm: what };
}

function isStored({ status, body, replayed, shouldRetry }: ErrorCase): boolean {
  if (replayed !== 'no' || shouldRetry === 'no') return true;
  return status === 500 && body.type === 'api_error' && shouldRetry !== 'yes';
}

/** With `Stripe-Should-Retry: true`, which the SDK heeds even on a 400, Stripe says that it was not the last word. */
function isRefusal({ status, body, shouldRetry }: ErrorCase): boolean {
  return rejection(status, body) !== null && shouldRetry !== 'yes';
}

function rejected(found: ErrorCase, covers: 'all' | 'attempt'): Verdict {
  const { code, message } = rejection(found.status, found.body) ?? { code: found.body.type, message: said(found.body) };
  return { kind: 'rejected', covers, code, message, externalId: null };
}
