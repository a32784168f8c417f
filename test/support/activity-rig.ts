import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content } from '@ai-sdk/provider';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { z } from 'zod';
import type { CallModelResult, CallToolResult } from '../../src/activities/activity-inputs';
import type { Escalation } from '../../src/activities/announce';
import { callLimits } from '../../src/activities/call-limits';
import type { ActivityContext, WaitingSession } from '../../src/activities/context';
import { createActivities } from '../../src/activities/create-activities';
import { Hints } from '../../src/activities/hints';
import { LateAnswers } from '../../src/activities/late-answers';
import { lookUpWith } from '../../src/activities/look-up';
import { reconciliationLimits } from '../../src/activities/reconciliation-limits';
import type { PlannedCall } from '../../src/conversations/plan';
import type { CallPlace, StepRef, TurnRef } from '../../src/conversations/refs';
import { openSession } from '../../src/conversations/sessions';
import { readStep } from '../../src/conversations/steps';
import { readTranscript, type TranscriptTurn } from '../../src/conversations/transcript';
import { addMessage } from '../../src/conversations/turns';
import type { Ledger } from '../../src/ledger/ledger';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { Recorded } from '../../src/operations/event';
import { id } from '../../src/operations/operation-id';
import { RefusedError } from '../../src/operations/refused-error';
import type { Reply } from '../../src/operations/reply';
import type { EffectMark } from '../../src/providers/provider';
import type { Caller } from '../../src/tools/caller';
import { catalogueOf } from '../../src/tools/catalogue';
import { defineOperation } from '../../src/tools/define-operation';
import { defineTool } from '../../src/tools/define-tool';
import { operationStatus } from '../../src/tools/operation-status';
import type { Tool } from '../../src/tools/tool';
import { CountingProvider, type Payout } from './counting-provider';
import type { TestDatabase } from './test-database';

export const TENANT = 'shop';
export const CUSTOMER = 'customer-77';

interface Order {
  readonly id: string;
  readonly customer: string;
  /** Line IDs with their pieces. */
  readonly lines: Readonly<Record<string, number>>;
}

const ORDERS: readonly Order[] = [
  { id: '1043', customer: CUSTOMER, lines: { li_1: 1, li_2: 3, li_3: 2 } },
  { id: '2000', customer: 'customer-88', lines: { li_9: 1 } },
];

/** Refuses what it cannot send, as a provider should. */
class RefundProvider extends CountingProvider {
  override encode(request: Payout, mark: EffectMark) {
    if (!Number.isSafeInteger(request.amount) || request.amount <= 0) {
      throw new RefusedError(`The amount ${request.amount} is no positive whole number.`);
    }
    return super.encode(request, mark);
  }
}

/** What a test may let the shop do, whenever a call is resolved. */
export interface Shop {
  /** Runs in `resolve`; what it throws, `resolve` throws. */
  onResolve: (caller: Caller, orderId: string) => void | Promise<void>;
  /** The amount of a refund, computed by `request`. */
  amount: (quantity: number) => number;
  /** The number of pieces in the order, if the shop has changed its mind. */
  pieces: (ordered: number) => number;
}

export function newShop(): Shop {
  return { onResolve: () => undefined, amount: (quantity) => quantity * 100, pieces: (ordered) => ordered };
}

/** Same words for an order that is absent and for somebody else's. */
function ownOrder(orderId: string, { customer }: Caller): Order {
  const number = orderId.replace(/^#/, '');
  const order = ORDERS.find((one) => one.id === number && one.customer === customer);
  if (!order) throw new RefusedError(`This customer has no order ${JSON.stringify(orderId)}.`);
  return order;
}

export function refundTool(shop: Shop, provider: CountingProvider): Tool {
  return defineOperation({
    name: 'refund_line_item',
    description: 'Refund one line item.',
    input: z.object({
      orderId: z.string().describe('The order number.'),
      lineItemId: z.string(),
      quantity: z.int().positive().optional().describe('How many pieces.'),
      reason: z.string().optional(),
    }),
    resolve: async ({ orderId, lineItemId, quantity }, caller) => {
      await shop.onResolve(caller, orderId);
      const order = ownOrder(orderId, caller);
      const ordered = order.lines[lineItemId];
      if (ordered === undefined) throw new RefusedError(`Order ${order.id} has no line ${JSON.stringify(lineItemId)}.`);
      return { order: order.id, line: lineItemId, quantity: quantity ?? shop.pieces(ordered) };
    },
    operationId: ({ order, line }) => id`refund-${order}-${line}`,
    request: ({ line, quantity }) => ({ to: line, amount: shop.amount(quantity) }),
    provider,
  });
}

const findOrder = defineTool({
  name: 'find_order',
  description: 'Look up one order.',
  input: z.object({ orderId: z.string() }),
  run: async ({ orderId }, caller) => ownOrder(orderId, caller),
});

/** What the model answers: words and calls, or an error of its endpoint. */
type Answer = readonly LanguageModelV4Content[] | Error;

/** Arguments as an object, or as the text that the model wrote. */
export function toolCall(toolName: string, input: unknown, toolCallId = 'toolu_1'): LanguageModelV4Content {
  return { type: 'tool-call', toolCallId, toolName, input: typeof input === 'string' ? input : JSON.stringify(input) };
}

export const refund = (input: object, toolCallId?: string) =>
  toolCall('refund_line_item', { orderId: '1043', ...input }, toolCallId);

export interface RunOptions {
  /** Temporal's attempt of the activity. */
  readonly attempt?: number;
  readonly environment?: MockActivityEnvironment;
}

/** The activities over a real database and the real AI SDK, run as Temporal runs them, with a model of the test's. */
export class ActivityRig {
  readonly shop: Shop;
  readonly provider: CountingProvider;
  readonly ledger: Ledger;
  readonly test: TestDatabase;
  /** What the model answers next; when there is nothing, it says goodbye. */
  readonly answers: Answer[] = [];
  /** What the model was asked, in order. */
  readonly asked: LanguageModelV4CallOptions[] = [];
  readonly context: ActivityContext;
  /** What people were told. */
  readonly escalated: Escalation[] = [];
  readonly woken: WaitingSession[] = [];

  /** Wants the database of the test file; everything else is new. */
  constructor(
    test: TestDatabase,
    change: { tools?: readonly Tool[]; ledger?: Ledger; provider?: CountingProvider } = {},
  ) {
    this.test = test;
    this.shop = newShop();
    this.provider = change.provider ?? new RefundProvider();
    this.ledger = change.ledger ?? new PostgresLedger(test.database);
    const { ledger } = this;
    const lateAnswers = new LateAnswers(ledger, () => undefined);
    const limits = callLimits();
    const tools = change.tools ?? [findOrder, refundTool(this.shop, this.provider)];
    const catalogue = catalogueOf([...tools, operationStatus(lookUpWith({ tools, ledger, lateAnswers, limits }))]);
    const model = this.#model();
    this.context = {
      database: test.database,
      ledger,
      ledgerId: 'ledger-1',
      lateAnswers,
      catalogue,
      model,
      instructions: '',
      limits,
      reconciliation: reconciliationLimits(),
      hints: new Hints(),
      onEscalated: (escalation) => void this.escalated.push(escalation),
      wakeSession: async (session) => void this.woken.push(session),
      deliver: null,
    };
  }

  /** A message of the customer's, in a session of its own unless told otherwise. */
  async message({ text = 'Hello.', customer = CUSTOMER, sessionId = newSessionId() } = {}): Promise<TurnRef> {
    const { database } = this.test;
    await openSession(database, { tenant: TENANT, sessionId, customer });
    return addMessage(database, { tenant: TENANT, sessionId, requestKey: `key-${++counter}`, text });
  }

  /** Runs one activity by its name. */
  run(name: string, input: unknown, { attempt = 1, environment }: RunOptions = {}): Promise<unknown> {
    const activity = createActivities(this.context)[name];
    if (!activity) throw new Error(`There is no activity ${name}.`);
    const within = environment ?? quietEnvironment(attempt);
    return within.run(activity as (input: unknown) => Promise<unknown>, input);
  }

  callModel(step: StepRef, options?: RunOptions): Promise<CallModelResult> {
    return this.run('sendonce.callModel', step, options) as Promise<CallModelResult>;
  }

  callTool(place: CallPlace, options?: RunOptions, tool = 'refund_line_item'): Promise<CallToolResult> {
    return this.run(tool, place, options) as Promise<CallToolResult>;
  }

  closeCall(place: CallPlace, why = 'The activity timed out.'): Promise<CallToolResult> {
    return this.run('sendonce.closeCall', { ...place, why }) as Promise<CallToolResult>;
  }

  /** A message, and the model's answer to it, planned. */
  async planned(answer: Answer, options: { customer?: string; sessionId?: string } = {}): Promise<StepRef> {
    const step = { ...(await this.message(options)), step: 1 };
    this.answers.push(answer);
    await this.callModel(step);
    return step;
  }

  /** Plans one call, makes it, and gives what the model was told. */
  async told(call: LanguageModelV4Content, options: { customer?: string; sessionId?: string } = {}): Promise<Reply> {
    const step = await this.planned([call], options);
    const plan = await this.plan(step);
    for (const { kind, position, tool } of plan) {
      if (kind !== 'refused') await this.callTool({ ...step, position }, {}, tool);
    }
    const [reply] = await this.replies(step);
    if (!reply) throw new Error('The call left no result.');
    return reply;
  }

  async plan(step: StepRef): Promise<readonly PlannedCall[]> {
    return (await readStep(this.test.database, step)).step?.plan ?? [];
  }

  /** What the calls of a step told, by position. */
  async replies(step: StepRef): Promise<readonly Reply[]> {
    const turn = (await this.transcript(step)).find((one) => one.turn === step.turn);
    return turn?.steps.find((one) => one.step === step.step)?.results.map(({ reply }) => reply) ?? [];
  }

  transcript(turn: TurnRef): Promise<readonly TranscriptTurn[]> {
    return readTranscript(this.test.database, turn);
  }

  async events(operationId: string): Promise<readonly Recorded[]> {
    return (await this.ledger.load({ tenant: TENANT, operationId })).events;
  }

  async kinds(operationId: string): Promise<readonly string[]> {
    return (await this.events(operationId)).map(({ kind }) => kind);
  }

  /** A new generation of operations for a test of its own: those of the tests before it are gone. */
  async forget(): Promise<void> {
    await this.test.database.pool.query('truncate sendonce.operations, sendonce.events');
  }

  #model(): LanguageModelV4 {
    const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
    return {
      ...{ specificationVersion: 'v4', provider: 'testing', modelId: 'raw', supportedUrls: {} },
      doGenerate: async (options) => {
        this.asked.push(options);
        const answer = this.answers.shift() ?? [{ type: 'text', text: 'Goodbye.' }];
        if (answer instanceof Error) throw answer;
        return {
          content: [...answer],
          finishReason: { unified: 'stop', raw: undefined },
          usage: { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } },
          warnings: [],
        };
      },
      doStream: () => Promise.reject(new Error('This model does not stream.')),
    };
  }
}

/** Failing activities are the subject of these tests; without this each would fill the screen. */
export function quietEnvironment(attempt = 1): MockActivityEnvironment {
  return new MockActivityEnvironment({ attempt, heartbeatTimeoutMs: 10_000 }, { logger: new DefaultLogger('ERROR') });
}

let counter = 0;

function newSessionId(): string {
  return `chat-${++counter}`;
}
