import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Interface } from 'node:readline';
import { Context } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import Stripe from 'stripe';
import { z } from 'zod';
import { id } from '../../src/operations/operation-id';
import { milliseconds, seconds } from '../../src/operations/time';
import type { Provider } from '../../src/providers/provider';
import { stripeRefunds } from '../../src/providers/stripe';
import type { StripeRefundRequest } from '../../src/providers/stripe/refund-request';
import type { StripeContractOverrides } from '../../src/providers/stripe/stripe-contract';
import type { Settings } from '../../src/settings';
import { type Script, scriptedModel } from '../../src/testing/scripted-model';
import { defineOperation } from '../../src/tools/define-operation';
import type { OperationTool } from '../../src/tools/tool';
import { startWorker } from '../../src/worker';
import { quietTemporal } from '../support/quiet-temporal';
import type { Edge } from './cells';

export interface FaultWorkerOptions {
  readonly settings: Settings;
  readonly taskQueue: string;
  readonly stripePort: number;
  /** The workflows' bundle, so that a start does not make it. */
  readonly bundle: string;
  readonly contract: StripeContractOverrides;
  readonly heartbeatWithinMs: number;
  /** Each operation stops here the first time that it comes by, until the order `release`; null: nowhere. */
  readonly holdAt: Edge | null;
  /** Whether what is held after its record still heartbeats. */
  readonly beats: boolean;
  /** Takes no work before the order `start`. */
  readonly waits: boolean;
  /** For a proof that the runs can fail: its provider makes a new key for each try, and marks nothing. */
  readonly broken: boolean;
}

/** What the process says; `name` is what `nameOf` gives. */
export type FaultWorkerWord =
  | { readonly word: 'ready' }
  /** An operation stands at the edge. */
  | { readonly word: 'held'; readonly name: string }
  /** An execution of its call begins. */
  | { readonly word: 'took'; readonly name: string; readonly attempt: number }
  | { readonly word: 'delivered'; readonly messageId: string }
  | { readonly word: 'escalated'; readonly key: string };

export type FaultWorkerOrder = 'start' | 'release';

/** The customer's number: each has one session, one payment and one operation. */
export function nameOf(text: string): string {
  return /\d+$/.exec(text)?.[0] ?? '';
}

export const TOOL = 'refund';
export const AMOUNT = 100;
export const CURRENCY = 'twd';

/** Takes work and stops each operation at one edge. */
export async function runFaultWorker(
  options: FaultWorkerOptions,
  say: (word: FaultWorkerWord) => void,
  orders: Interface,
): Promise<void> {
  quietTemporal();
  const held = new Holds(say);
  const started = new Promise<void>((resolve) => {
    orders.on('line', (line) => {
      const order = JSON.parse(line) as FaultWorkerOrder;
      if (order === 'start') resolve();
      else held.release();
    });
  });
  if (options.waits) await started;
  const at = (edge: Edge, name: string) => (options.holdAt === edge ? held.pass(name) : Promise.resolve());
  await startWorker({
    settings: options.settings,
    taskQueue: options.taskQueue,
    tools: [refundTool(options, at)],
    model: scriptedModel(refundOnce),
    limits: { heartbeatWithin: milliseconds(options.heartbeatWithinMs) },
    // Its own default is half a minute between two looks, and its pace that of a polite guest.
    reconciliation: { every: seconds(1), concurrency: 10, perSecond: 200 },
    deliver: async ({ messageId }) => say({ word: 'delivered', messageId }),
    onEscalated: ({ key }) => say({ word: 'escalated', key }),
    workerOptions: {
      workflowBundle: { codePath: options.bundle },
      // What a dead worker had in its cache is given to others after this.
      stickyQueueScheduleToStartTimeout: '2s',
      interceptors: { activity: [callInterceptor(options, at, say)] },
    },
  });
  say({ word: 'ready' });
  await once(orders, 'close');
}

class Holds {
  readonly #say: (word: FaultWorkerWord) => void;
  readonly #seen = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #isReleased = false;

  constructor(say: (word: FaultWorkerWord) => void) {
    this.#say = say;
  }

  async pass(name: string): Promise<void> {
    if (this.#isReleased || this.#seen.has(name)) return;
    this.#seen.add(name);
    this.#say({ word: 'held', name });
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    this.#isReleased = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

type At = (edge: Edge, name: string) => Promise<void>;

/** Asks for the refund once, and tells what it is told. */
const refundOnce: Script = ({ said, results }) => {
  const last = said.at(-1) ?? '';
  const own = results.filter(({ turn }) => turn === said.length);
  if (/^pi_\d+$/.test(last) && own.length === 0) return { calls: [{ tool: TOOL, input: { payment: last } }] };
  return { text: own.length === 0 ? last : own.map(({ text }) => text).join('\n') };
};

function refundTool({ stripePort, contract, broken }: FaultWorkerOptions, at: At): OperationTool {
  const address = { host: '127.0.0.1', port: stripePort, protocol: 'http' } as const;
  const real = stripeRefunds({ connect: (ours) => new Stripe('sk_test_1', { ...ours, ...address }), contract });
  const provider = broken ? newKeyEachTry(real, new Stripe('sk_test_1', { ...address, maxNetworkRetries: 0 })) : real;
  return defineOperation({
    name: TOOL,
    description: 'Refund a payment.',
    input: z.object({ payment: z.string() }),
    resolve: ({ payment }) => ({ payment }),
    operationId: ({ payment }) => id`refund-${payment}`,
    request: async ({ payment }) => {
      await at('before-mark', nameOf(payment));
      return { paymentIntent: payment, amount: AMOUNT, currency: CURRENCY };
    },
    provider: {
      ...provider,
      send: async (send) => {
        await at('after-mark', nameOf(send.operationId));
        const outcome = await provider.send(send);
        await at('after-answer-before-record', nameOf(send.operationId));
        return outcome;
      },
    },
  });
}

function callInterceptor({ beats }: FaultWorkerOptions, at: At, say: (word: FaultWorkerWord) => void) {
  const factory: ActivityInterceptorsFactory = (context) => ({
    inbound: {
      execute: async (input, next) => {
        if (context.info.activityType !== TOOL) return next(input);
        const [{ sessionId = '' } = {}] = input.args as { readonly sessionId?: string }[];
        const name = nameOf(sessionId);
        say({ word: 'took', name, attempt: context.info.attempt });
        const result = await next(input);
        // The toolkit's own beats end with its activity, and here the fault is to be the only one.
        const timer = beats ? setInterval(() => Context.current().heartbeat(), BEAT_EVERY_MS) : undefined;
        await at('after-record-before-completion', name);
        clearInterval(timer);
        return result;
      },
    },
  });
  return factory;
}

const BEAT_EVERY_MS = 500;

/** What many tools do: a new key at each try, and nothing on the effect by which it could be found. */
function newKeyEachTry(real: Provider<StripeRefundRequest>, stripe: Stripe): Provider<StripeRefundRequest> {
  return {
    ...real,
    send: async ({ request }) => {
      const payment = new URLSearchParams(request.body).get('payment_intent') ?? '';
      const { id: externalId } = await stripe.refunds.create(
        { payment_intent: payment, amount: AMOUNT },
        { idempotencyKey: randomUUID() },
      );
      return { kind: 'confirmed', externalId, receipt: { requestId: null, httpStatus: 200, detail: '' } };
    },
  };
}
