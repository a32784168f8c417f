import { hash } from 'node:crypto';
import { type LedgerRead, ledgerRead } from '../../ledger/ledger';
import type { CommandResult } from '../../operations/command';
import type { CallRef } from '../../operations/event';
import type { Pause } from '../../operations/pause';
import type { PerformSetup } from '../../operations/perform';
import type { Step } from '../../operations/stepper';
import type { Engine } from './engine';
import { Histories, type History } from './history';
import type { Broken } from './history-rules';
import { isReconciliation, reconciliationOf } from './reconciliation-name';
import type { Scenario } from './scenario';
import { type Execution, ledgerNow, type World } from './world';

/** One move of the interleaving: what happens, in words, the world after it, and the rules it breaks. */
export interface Move {
  readonly story: string;
  readonly world: World;
  readonly broken: readonly Broken[];
  /** Nobody else sees it or can undo it: no other move comes before it, which spares equivalent orders. */
  readonly unseen: boolean;
}

export const OPERATION_ID = 'refund-1043-li_2';
export const LOOK = 'look';
/** Where tenants share an account, each has its own: ours, and the other one's. */
const OUR_PREFIX = 'shop~';
export const NEIGHBOUR_PREFIX = 'other-shop~';
const PAUSES: readonly Pause[] = [{ kind: 'provider', name: 'explored' }];

/** An execution believes in another history than the ledger has. */
export class BrokenBelief extends Error {}

/** Whether nothing that the provider, a person or the world does can look like a contradiction. */
function alarmsImpossible({ tellsKeys, budget }: Scenario): boolean {
  return tellsKeys && budget.strangers + budget.bounces === 0;
}

/** A scenario under exploration: the rules, the ledger's histories and the steps reached so far. */
export class Model {
  readonly scenario: Scenario;
  readonly engine: Engine;
  readonly histories: Histories;
  readonly #steps: Step[] = [];
  readonly #stepIds = new Map<string, number>();
  readonly #next = new Map<string, number>();
  readonly #setups = new Map<string, PerformSetup>();
  readonly #ends = new Map<string, readonly Broken[]>();

  constructor(scenario: Scenario, engine: Engine) {
    this.scenario = scenario;
    this.engine = engine;
    this.histories = new Histories(engine, alarmsImpossible(scenario));
  }

  history(world: World): History {
    return this.histories.get(world.history);
  }

  /** What a read gives. The events bear the clock's own time, as a ledger of an older release wrote them. */
  read(world: World): LedgerRead {
    return ledgerRead(ledgerNow(world), this.history(world).events, world.paused ? PAUSES : []);
  }

  stepOf({ step }: Execution): Step {
    const found = this.#steps[step];
    if (!found) throw new Error(`Bug: no step ${step}.`);
    return found;
  }

  firstStep(): number {
    return this.#intern(this.engine.start());
  }

  /** The step after a result. Each pair of step and result is computed once: the stepper is a pure function. */
  nextStep(world: World, execution: Execution, result: CommandResult): number {
    const { call, activityAttempt, step } = execution;
    const told =
      result.kind === 'loaded' ? `loaded|${result.now}|${world.history}|${world.paused}` : JSON.stringify(result);
    const planned = this.planned(world, call);
    const name = `${call}|${activityAttempt}|${planned}|${step}|${result.kind === 'saved' ? world.history : ''}|${told}`;
    const known = this.#next.get(name);
    if (known !== undefined) return known;
    const next = this.engine.step(this.setup(world, execution), this.stepOf(execution).state, result);
    this.#checkBelief(world, next, result);
    const id = this.#intern(next);
    this.#next.set(name, id);
    return id;
  }

  setup(world: World, { call, activityAttempt }: Pick<Execution, 'call' | 'activityAttempt'>): PerformSetup {
    const generation = this.planned(world, call);
    const name = `${call}|${activityAttempt}|${generation}`;
    const known = this.#setups.get(name);
    if (known) return known;
    const { contract, hasQuery, limits } = this.scenario;
    const setup: PerformSetup = {
      operationId: OPERATION_ID,
      tool: 'refund_line_item',
      provider: 'explored',
      // A check does all that a look does, and asks about what is settled, too.
      purpose: isReconciliation(call) ? 'reconcile' : call === LOOK ? 'check' : 'send',
      generation,
      intent: this.scenario.calls.find(({ name }) => name === call)?.intent ?? '',
      call: this.callRef(call, activityAttempt),
      contract,
      hasQuery,
      keyPrefix: this.scenario.budget.neighbours > 0 ? OUR_PREFIX : '',
      limits,
    };
    this.#setups.set(name, setup);
    return setup;
  }

  /** What the end breaks, once for all worlds whose ledger and provider are the same. */
  endOf(world: World, find: () => readonly Broken[]): readonly Broken[] {
    const { now, setBack, paused, history, provider } = world;
    const name = JSON.stringify([now, setBack, paused, history, provider]);
    const known = this.#ends.get(name) ?? find();
    this.#ends.set(name, known);
    return known;
  }

  callRef(call: string, activityAttempt: number): CallRef {
    if (isReconciliation(call)) {
      const { callId, sessionId } = reconciliationOf(call);
      return { callId, activityAttempt, sessionId, customer: 'customer-77' };
    }
    const sessionId = this.scenario.calls.find(({ name }) => name === call)?.session ?? LOOK;
    return { callId: call, activityAttempt, sessionId, customer: 'customer-77' };
  }

  planned(world: World, call: string): number {
    if (isReconciliation(call)) return reconciliationOf(call).generation;
    const index = this.scenario.calls.findIndex(({ name }) => name === call);
    return world.calls[index]?.planned ?? 1;
  }

  /** After its own save an execution goes on without a read, so what it adds must be what the ledger has. */
  #checkBelief(world: World, { state }: Step, { kind }: CommandResult): void {
    if (kind !== 'saved') return;
    if (JSON.stringify(state.events) !== JSON.stringify(this.history(world).events)) {
      throw new BrokenBelief();
    }
  }

  #intern(step: Step): number {
    // Hashed: the steps hold whole histories, and there are many of them.
    const name = hash('md5', JSON.stringify(step), 'base64');
    const known = this.#stepIds.get(name);
    if (known !== undefined) return known;
    this.#steps.push(step);
    this.#stepIds.set(name, this.#steps.length - 1);
    return this.#steps.length - 1;
  }
}
