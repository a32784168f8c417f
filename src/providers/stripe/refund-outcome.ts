import { type Outcome, shorten } from '../../operations/outcome';
import type { ExpectedRefund } from './expected-refund';
import { readAnswer } from './read-answer';
import { receiptOf, withoutSecrets } from './receipt';
import { verdictOn } from './refund-answers';
import type { MadeTry } from './single-try-http-client';

/** Codes and statuses are Stripe's and go into sentences: an answer that is none of Stripe's may put anything there. */
const WORDS_LENGTH = 1_000;

/** What one try of `POST /v1/refunds` told us. */
export function refundOutcome(made: MadeTry, expected: ExpectedRefund): Outcome {
  const { result, secrets } = made;
  switch (result.kind) {
    case 'not-written':
      return { kind: 'not-submitted', why: withoutSecrets(result.why, secrets), receipt: receiptOf(made, null) };
    case 'lost': {
      const why = withoutSecrets(result.why, secrets);
      return { kind: 'unknown', why, resend: 'allowed', receipt: receiptOf(made, null) };
    }
    case 'answered': {
      const answer = readAnswer(result);
      const clean = (text: string) => shorten(withoutSecrets(text, secrets), WORDS_LENGTH);
      const outcome: Outcome = { ...verdictOn(answer, expected), receipt: receiptOf(made, answer) };
      if (outcome.kind === 'unknown' && outcome.alarm !== undefined) {
        return { ...outcome, why: clean(outcome.why), alarm: clean(outcome.alarm) };
      }
      if ('why' in outcome) return { ...outcome, why: clean(outcome.why) };
      if ('message' in outcome) return { ...outcome, code: clean(outcome.code), message: clean(outcome.message) };
      return outcome;
    }
  }
}
