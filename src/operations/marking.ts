import type { SendCommand } from './command';
import type { AnsweredEvent, MarkedEvent } from './event';
import type { Registration } from './generation';
import type { Outcome } from './outcome';
import type { PerformSetup } from './perform';
import type { Instant } from './time';

/** The mark of one attempt: all its bounds count from the read the decision rests on (rule 3). */
export function markedEvent(setup: PerformSetup, generation: number, attempt: number, now: Instant): MarkedEvent {
  const { contract, call } = setup;
  const sendBy = now + contract.sendWithin;
  return {
    kind: 'marked',
    generation,
    attempt,
    call,
    decidedAt: now,
    sendBy,
    arriveBy: sendBy + contract.deliverWithin,
    answerBy: sendBy + contract.answerWithin,
  };
}

/** The send of a marked attempt: the generation's stored request under its key, whatever the call brought (rule 5). */
export function sendCommand(
  { contract }: PerformSetup,
  { generation, attempt }: MarkedEvent,
  { key, request }: Pick<Registration, 'key' | 'request'>,
): SendCommand {
  const { sendWithin, answerWithin } = contract;
  return { kind: 'send', generation, attempt, key, request, sendWithin, answerWithin };
}

export function answeredEvent(
  setup: PerformSetup,
  send: Pick<SendCommand, 'generation' | 'attempt'>,
  outcome: Outcome,
): AnsweredEvent {
  const { generation, attempt } = send;
  return { kind: 'answered', generation, attempt, call: setup.call, outcome: asPromised(setup, outcome) };
}

/**
 * A refusal covers all attempts of a key only where the contract stores every answer (rule 9), or where it is about an
 * effect that exists and failed. A provider that says more than its contract is believed for its own attempt.
 */
function asPromised({ contract }: PerformSetup, outcome: Outcome): Outcome {
  if (outcome.kind !== 'rejected' || outcome.externalId !== null) return outcome;
  const stored = contract.key !== 'none' && contract.key.replays === 'every-answer';
  return stored ? outcome : { ...outcome, covers: 'attempt' };
}
