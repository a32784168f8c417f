import type { AnsweredEvent, MarkedEvent, RegisteredEvent } from '../src/operations/event';
import type { PerformSetup } from '../src/operations/perform';
import { milliseconds, seconds } from '../src/operations/time';
import type { Provider } from '../src/providers/provider';
import type { Payout } from './downstream';

export const TENANT = 'bench';
const TOOL = 'pay_out';
const INTENT = '{"amount":38000}';

/** The call of an activity that pays once. */
export function performSetup(operationId: string, { name, contract }: Provider<Payout>): PerformSetup {
  return {
    operationId,
    tool: TOOL,
    provider: name,
    purpose: 'send',
    generation: 1,
    intent: INTENT,
    call: { callId: 'chat-912/1/1/0', sessionId: 'chat-912', customer: 'customer-77', activityAttempt: 1 },
    contract,
    hasQuery: false,
    keyPrefix: '',
    limits: {
      joinWithin: seconds(5),
      joinPollEvery: milliseconds(100),
      notSubmittedAttempts: 5,
      leftBehindAfter: milliseconds(900_000),
    },
  };
}

/** What `prepare` of that call gives, and `perform` then writes in two commits. */
export function prepared(operationId: string, provider: Provider<Payout>) {
  const request = provider.encode({ to: operationId, amount: 38_000 }, { operationId, key: operationId });
  return { kind: 'prepared', request, intent: INTENT } as const;
}

export interface OperationEvents {
  readonly mark: readonly [RegisteredEvent, MarkedEvent];
  readonly record: AnsweredEvent;
}

/** Those two commits: the request with its mark, and the answer. */
export function operationEvents(operationId: string, provider: Provider<Payout>): OperationEvents {
  const { call, generation, intent, tool, contract } = performSetup(operationId, provider);
  const { request } = prepared(operationId, provider);
  const decidedAt = Date.now();
  const sendBy = decidedAt + contract.sendWithin;
  const bounds = { sendBy, arriveBy: sendBy + contract.deliverWithin, answerBy: sendBy + contract.answerWithin };
  const receipt = { requestId: 'req_Vq1rGmD8Rr3cJt', httpStatus: 200, detail: '' };
  return {
    mark: [
      { kind: 'registered', generation, tool, provider: provider.name, key: operationId, intent, request, call },
      { kind: 'marked', generation, attempt: 1, call, decidedAt, ...bounds },
    ],
    record: {
      ...{ kind: 'answered', generation, attempt: 1, call },
      outcome: { kind: 'confirmed', externalId: `po_${operationId}`, receipt },
    },
  };
}
