import { minutes, seconds } from '../../src/operations/time';
import type { StripeContractOverrides } from '../../src/providers/stripe/stripe-contract';
import type { Fault } from './cells';

/** The bounds that a fault is to be longer or shorter than. */
export interface FaultLimits {
  readonly sendWithinMs: number;
  readonly answerWithinMs: number;
  readonly deliverWithinMs: number;
  readonly heartbeatWithinMs: number;
}

/** Generous, so that all operations of a cell can be brought to the edge before a bound is over, on a slow machine too. */
const GENEROUS: FaultLimits = {
  sendWithinMs: seconds(60),
  answerWithinMs: seconds(30),
  deliverWithinMs: minutes(15),
  heartbeatWithinMs: seconds(3),
};

const SHORT: Partial<Record<Fault, Partial<FaultLimits>>> = {
  'sigstop-deadline': { sendWithinMs: seconds(12), answerWithinMs: seconds(6) },
  // The client gives an answer up after both of the latter together.
  'slow-answer': { sendWithinMs: seconds(4), answerWithinMs: seconds(3), deliverWithinMs: seconds(4) },
  // Both together are how long the engine waits for an answer.
  'half-open-to-provider': { sendWithinMs: seconds(20), answerWithinMs: seconds(5) },
  'half-open-from-provider': { sendWithinMs: seconds(20), answerWithinMs: seconds(5) },
};

export function limitsFor(fault: Fault): FaultLimits {
  return { ...GENEROUS, ...SHORT[fault] };
}

export function contractOf(limits: FaultLimits): StripeContractOverrides {
  const { sendWithinMs, answerWithinMs, deliverWithinMs } = limits;
  return {
    sendWithin: seconds(sendWithinMs / 1_000),
    answerWithin: seconds(answerWithinMs / 1_000),
    deliverWithin: seconds(deliverWithinMs / 1_000),
  };
}
