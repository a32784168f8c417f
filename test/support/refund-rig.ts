import Stripe from 'stripe';
import { z } from 'zod';
import { LateAnswers } from '../../src/activities/late-answers';
import { type PerformEnd, perform } from '../../src/activities/perform';
import type { Ledger } from '../../src/ledger/ledger';
import { fold, type Operation } from '../../src/operations/fold';
import { keyOf, keyPrefix } from '../../src/operations/key';
import { id } from '../../src/operations/operation-id';
import { plannedGeneration } from '../../src/operations/plan';
import { milliseconds } from '../../src/operations/time';
import { type StripeRefundsOptions, stripeRefunds } from '../../src/providers/stripe';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { defineOperation } from '../../src/tools/define-operation';
import type { OperationTool } from '../../src/tools/tool';
import { WEBHOOK_SECRET } from './webhook-posts';

const LIMITS = {
  joinWithin: milliseconds(50),
  joinPollEvery: milliseconds(10),
  notSubmittedAttempts: 3,
  leftBehindAfter: milliseconds(900_000),
};

/** The tool that a webhook door is given; it is never called there. */
export function refundTool(options: Partial<StripeRefundsOptions> = {}): OperationTool {
  return defineOperation({
    name: 'refund_line_item',
    description: 'Refund one line item.',
    input: z.object({ orderId: z.string() }),
    resolve: ({ orderId }) => ({ orderId }),
    operationId: ({ orderId }) => id`refund-${orderId}`,
    request: () => ({ paymentIntent: 'pi_1', amount: 1, currency: 'twd' }),
    provider: stripeRefunds({
      connect: (config) => new Stripe('sk_test_1', config),
      webhookSecret: WEBHOOK_SECRET,
      ...options,
    }),
  });
}

export interface RefundCall {
  readonly ledger: Ledger;
  readonly fake: FakeStripe;
  readonly tenant: string;
  readonly operationId: string;
  readonly paymentIntent: string;
  readonly amount?: number;
  readonly sharedAccount?: boolean;
  readonly tool?: string;
}

let calls = 0;

/** A new call for the refund, planned for what is the operation's generation now. */
export async function callRefund(call: RefundCall): Promise<PerformEnd> {
  const { ledger, fake, tenant, operationId, paymentIntent, amount = 38_000, sharedAccount = false } = call;
  const { tool = 'refund_line_item' } = call;
  const { host, port, protocol } = fake;
  const provider = stripeRefunds({
    connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }),
    sharedAccount,
  });
  calls += 1;
  return perform(
    {
      ...{ operationId, tool, provider: provider.name, purpose: 'send', intent: '{}' },
      ...{ generation: plannedGeneration(await readFold(call)), keyPrefix: keyPrefix(tenant, sharedAccount) },
      call: { callId: `chat/1/${calls}/0`, activityAttempt: 1, sessionId: 'chat', customer: 'customer-77' },
      ...{ contract: provider.contract, hasQuery: true, limits: LIMITS },
    },
    {
      ...{ tenant, ledger, provider, lateAnswers: new LateAnswers(ledger, () => {}) },
      checkCancelled: () => {},
      prepare: async (key) => ({
        kind: 'prepared',
        intent: '{}',
        request: provider.encode({ paymentIntent, amount, currency: 'twd' }, { operationId, key }),
      }),
    },
  );
}

export async function readFold({
  ledger,
  tenant,
  operationId,
}: Pick<RefundCall, 'ledger' | 'tenant' | 'operationId'>): Promise<Operation | null> {
  return fold((await ledger.load({ tenant, operationId })).events);
}

/** The marks of a refund made by hand that passes itself off as the operation's. */
export function marksOf(operationId: string, prefix = ''): Record<string, string> {
  return { op_id: operationId, op_key: keyOf(operationId, 1, prefix), op_currency: 'twd' };
}
