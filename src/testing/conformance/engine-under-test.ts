import { LateAnswers } from '../../activities/late-answers';
import { type PerformEnd, perform } from '../../activities/perform';
import { prepareRequest } from '../../activities/prepare-request';
import { toolSetup } from '../../activities/tool-setup';
import type { Ledger } from '../../ledger/ledger';
import type { Contract } from '../../operations/contract';
import { nextDue } from '../../operations/due';
import { fold, type Operation } from '../../operations/fold';
import type { PerformSetup } from '../../operations/perform';
import { plannedGeneration } from '../../operations/plan';
import { RefusedError } from '../../operations/refused-error';
import { type Reply, type ReplyCode, refusedReply } from '../../operations/reply';
import { isSettled } from '../../operations/state';
import { milliseconds, minutes } from '../../operations/time';
import { parseInput } from '../../tools/parse-input';
import type { OperationPlan, OperationTool } from '../../tools/tool';
import type { InMemoryLedger } from '../in-memory-ledger';
import type { OperationUnderTest, Told, ToolCall } from './operation-under-test';
import { shown } from './shown';

/** Something the engine does next, or has just done. What the hook throws, it throws; what it holds, hangs. */
export type Hook = (step: string) => void | Promise<void>;

/** Thrown by a hook whose process is dead: whatever it still does ends at once, and writes nothing. */
export class ProcessDeadError extends Error {
  override readonly name = 'ProcessDead';
}

export interface EngineOptions {
  /** Called before and after everything that leaves the process. */
  readonly hook?: Hook;
  /** In place of the provider's own times. */
  readonly contract?: Partial<Pick<Contract, 'sendWithin' | 'answerWithin'>>;
}

const LIMITS = {
  joinWithin: milliseconds(300),
  joinPollEvery: milliseconds(10),
  notSubmittedAttempts: 3,
  leftBehindAfter: minutes(15),
};

/** Temporal's repetitions of one call. Each send counts for itself, so more would show nothing new. */
const EXECUTIONS = 8;
/** Looks of reconciliation, each at the time that the last one set. */
const LOOKS = 120;

const SAYS: Readonly<Record<ReplyCode, Told['says']>> = {
  done: 'done',
  already_done: 'done',
  in_progress: 'open',
  waiting: 'open',
  approval_required: 'open',
  outcome_unknown: 'open',
  escalated: 'open',
  rejected: 'not-done',
  not_submitted: 'not-done',
  conflict: 'refused',
  invalid_input: 'refused',
};

/**
 * A process of a worker with one tool: the real engine, on a ledger in memory whose clock can be moved. A call is planned,
 * performed, and repeated as Temporal repeats it.
 */
export class EngineUnderTest implements OperationUnderTest {
  readonly tool: OperationTool;
  readonly memory: InMemoryLedger;
  readonly #ledger: Ledger;
  readonly #lateAnswers: LateAnswers;
  readonly #contract: Contract;
  readonly #hook: Hook;
  readonly #seen = new Map<string, { readonly tenant: string; readonly operationId: string }>();

  constructor(tool: OperationTool, memory: InMemoryLedger, { hook = () => undefined, contract }: EngineOptions = {}) {
    this.tool = tool;
    this.memory = memory;
    this.#hook = hook;
    this.#contract = { ...tool.provider.contract, ...contract };
    this.#ledger = {
      load: (ref) => this.#stepped('load', () => memory.load(ref)),
      save: (save) =>
        this.#stepped(`save ${save.events.map(({ kind }) => kind)}`, () => memory.save(save)).catch(lostIfDead),
    };
    this.#lateAnswers = new LateAnswers(memory, () => undefined);
  }

  async call(call: ToolCall): Promise<Told> {
    return toldOf(await this.reply(call));
  }

  /** The call from its plan to its reply, run again where Temporal would run it again. */
  async reply(call: ToolCall): Promise<Reply> {
    const planned = await this.plan(call);
    if ('code' in planned) return planned;
    const generation = plannedGeneration(this.operation(call.tenant, planned.operationId));
    return this.carryOut(call, planned, generation);
  }

  /** `from`: the first execution's number, above those of a process that died. */
  async carryOut(call: ToolCall, planned: OperationPlan, generation: number, from = 1): Promise<Reply> {
    let problem: unknown;
    for (let attempt = from; attempt < from + EXECUTIONS; attempt++) {
      const end = await this.#execute(call, planned, generation, attempt).catch((error: unknown) => {
        problem = error;
        return null;
      });
      if (end?.kind === 'finish') return end.reply;
    }
    throw new Error(`The call came to no end in ${EXECUTIONS} executions: ${shown(problem)}`);
  }

  /** What the call is about, or its refusal. */
  async plan({ input, ...caller }: ToolCall): Promise<OperationPlan | Reply> {
    const parsed = await parseInput(this.tool, input);
    if (parsed.kind === 'invalid') return refusedReply(parsed.message);
    try {
      const plan = await this.tool.plan(parsed.input, caller);
      this.#seen.set(plan.operationId, { tenant: caller.tenant, operationId: plan.operationId });
      return plan;
    } catch (error) {
      if (error instanceof RefusedError) return refusedReply(error.message);
      throw error;
    }
  }

  operation(tenant: string, operationId: string): Operation | null {
    return fold(this.memory.read({ tenant, operationId }).events);
  }

  async recorded(call: ToolCall): Promise<number> {
    const plan = await this.plan(call);
    if ('code' in plan) return 0;
    const { events } = this.memory.read({ tenant: call.tenant, operationId: plan.operationId });
    return events.filter(({ kind }) => kind === 'marked').length;
  }

  /** Reconciliation of all that this process has heard of, until nothing is left to find out or a person has it. */
  async findOut(): Promise<void> {
    for (const { tenant, operationId } of this.#seen.values()) {
      for (let checks = 0; checks < LOOKS; checks++) {
        const operation = this.operation(tenant, operationId);
        if (operation === null || isSettled(operation.state) || operation.state === 'escalated') break;
        const due = await this.#reconcile(tenant, operation, operationId, checks);
        if (due === null) break;
        this.memory.advance(Math.max(0, due - this.memory.now) + 1);
      }
    }
  }

  /** Waits for answers that came after the engine had stopped waiting. */
  drain(): Promise<void> {
    return this.#lateAnswers.drain(1_000);
  }

  async #reconcile(tenant: string, { current }: Operation, operationId: string, checks: number) {
    const call = { callId: `reconciliation/${operationId}/${this.memory.now}/${checks}`, activityAttempt: 1 };
    const setup = this.#setup(tenant, operationId, { ...call, sessionId: '', customer: '' });
    const end = await this.#perform(
      tenant,
      { ...setup, purpose: 'reconcile', generation: current.number, intent: '' },
      async () => ({ kind: 'refused', message: 'Reconciliation registers nothing.' }),
    );
    const after = fold(end.events);
    return after === null ? null : nextDue(after, end.events, this.#contract, end.now, checks);
  }

  #execute(
    { input, ...caller }: ToolCall,
    { operationId, intent }: OperationPlan,
    generation: number,
    activityAttempt: number,
  ): Promise<PerformEnd> {
    const { tenant, customer, sessionId, callId } = caller;
    const setup = this.#setup(tenant, operationId, { callId, activityAttempt, sessionId, customer });
    return this.#perform(tenant, { ...setup, purpose: 'send', generation, intent }, (key) =>
      this.#stepped('prepare', () => prepareRequest(this.tool, { operationId, key, input, caller })),
    );
  }

  #setup(tenant: string, operationId: string, call: PerformSetup['call']) {
    return { ...toolSetup(this.tool, tenant), operationId, call, contract: this.#contract, limits: LIMITS };
  }

  #perform(
    tenant: string,
    setup: PerformSetup,
    prepare: Parameters<typeof perform>[1]['prepare'],
  ): Promise<PerformEnd> {
    const { provider } = this.tool;
    const find = provider.find?.bind(provider);
    return perform(setup, {
      tenant,
      ledger: this.#ledger,
      provider: {
        ...provider,
        encode: (request, mark) => provider.encode(request, mark),
        send: (send) => this.#stepped('send', () => provider.send(send)),
        ...(find && { find: (query) => this.#stepped('find', () => find(query)) }),
      },
      lateAnswers: this.#lateAnswers,
      prepare,
      checkCancelled: () => undefined,
    });
  }

  async #stepped<T>(step: string, act: () => Promise<T>): Promise<T> {
    await this.#hook(`before ${step}`);
    const result = await act();
    await this.#hook(`after ${step}`);
    return result;
  }
}

/** A save that fails is tried for seconds; one that is lost leads to a read, and that fails for good. */
function lostIfDead(error: unknown): null {
  if (error instanceof ProcessDeadError) return null;
  throw error;
}

export function toldOf({ code, text, externalId }: Reply): Told {
  return { says: SAYS[code], text, externalId };
}
