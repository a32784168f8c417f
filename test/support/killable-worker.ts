import Stripe from 'stripe';
import { z } from 'zod';
import { id } from '../../src/operations/operation-id';
import { seconds } from '../../src/operations/time';
import { stripeRefunds } from '../../src/providers/stripe';
import type { Settings } from '../../src/settings';
import { holdFirstSend } from '../../src/testing/held-send';
import { type Script, scriptedModel } from '../../src/testing/scripted-model';
import { defineOperation } from '../../src/tools/define-operation';
import type { OperationTool } from '../../src/tools/tool';
import { startWorker } from '../../src/worker';

export interface KillableWorkerOptions {
  readonly settings: Settings;
  readonly taskQueue: string;
  readonly stripePort: number;
}

/** Short for a test that waits for a death to be noticed. */
export const KILLED_LIMITS = { heartbeatWithin: seconds(2) };

/** Takes work and gets stuck: in its model for whoever asks to think, and else between mark and send. */
export async function runKillableWorker(options: KillableWorkerOptions, say: (word: string) => void): Promise<void> {
  const { settings, taskQueue, stripePort } = options;
  const forEver = (word: string) => () => {
    say(word);
    return new Promise<never>(() => undefined);
  };
  const think = forEver('thinking');
  await startWorker({
    settings,
    taskQueue,
    tools: [refund(stripePort, forEver('sending'))],
    model: scriptedModel((view) => (view.said.includes('Think.') ? think() : refundWhatIsSaid(view))),
    limits: KILLED_LIMITS,
  });
  say('ready');
}

/** Refunds the payment that the customer names. */
export const refundWhatIsSaid: Script = ({ said, results }) =>
  results.length === 0
    ? { calls: [{ tool: 'refund', input: { payment: said[0] } }] }
    : { text: results.map(({ text }) => text).join('\n') };

/** A refund at the fake Stripe, through the real SDK. */
export function refund(stripePort: number, beforeFirstSend?: () => Promise<void>): OperationTool {
  const provider = stripeRefunds({
    connect: (ours) => new Stripe('sk_test_1', { ...ours, host: '127.0.0.1', port: stripePort, protocol: 'http' }),
  });
  return defineOperation({
    name: 'refund',
    description: 'Refund a payment.',
    input: z.object({ payment: z.string() }),
    resolve: ({ payment }) => ({ payment }),
    operationId: ({ payment }) => id`refund-${payment}`,
    request: ({ payment }) => ({ paymentIntent: payment, amount: 100, currency: 'twd' }),
    provider: beforeFirstSend ? holdFirstSend(provider, beforeFirstSend) : provider,
  });
}
