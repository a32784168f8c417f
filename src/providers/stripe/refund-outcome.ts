import type { Outcome } from '../../operations/outcome';
import type { ExpectedRefund } from './expected-refund';
import { readAnswer } from './read-answer';
import { receiptOf, withoutSecrets } from './receipt';
import { verdictOn } from './refund-answers';
import type { MadeTry } from './single-try-http-client';

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
      const outcome: Outcome = { ...verdictOn(answer, expected), receipt: receiptOf(made, answer) };
      if (outcome.kind === 'unknown' && outcome.alarm !== undefined) {
        const { why, alarm } = outcome;
        return { ...outcome, why: withoutSecrets(why, secrets), alarm: withoutSecrets(alarm, secrets) };
      }
      if ('why' in outcome) return { ...outcome, why: withoutSecrets(outcome.why, secrets) };
      if ('message' in outcome) return { ...outcome, message: withoutSecrets(outcome.message, secrets) };
      return outcome;
    }
  }
}
