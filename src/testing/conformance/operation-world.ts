import type { OperationTool } from '../../tools/tool';
import { InMemoryLedger } from '../in-memory-ledger';
import { ConformanceSetupError } from './conformance-setup-error';
import type { Downstream, DownstreamAddress } from './downstream';
import { type EngineOptions, EngineUnderTest } from './engine-under-test';
import type { OperationCheck } from './operation-check';
import type { OperationUnderTest } from './operation-under-test';
import { Scenario } from './scenario';

/** The tool in front of its downstream: its processes, and business intents that nobody has used yet. */
export class OperationWorld {
  readonly check: OperationCheck;
  readonly downstream: Downstream;
  readonly memory = new InMemoryLedger(Date.now());
  readonly patienceMs: number;
  #at: DownstreamAddress | null = null;
  #intents = 0;

  constructor(check: OperationCheck) {
    this.check = check;
    this.downstream = check.downstream;
    this.patienceMs = check.patienceMs ?? 1_000;
  }

  async start(): Promise<void> {
    this.#at = await this.downstream.start();
    await this.#checkSetup();
  }

  stop(): Promise<void> {
    return this.downstream.stop();
  }

  /** A process of the tool that has just been started. */
  async open(): Promise<OperationUnderTest> {
    return this.check.operation ? this.check.operation(this.#address()) : this.engine();
  }

  /** The same where the tool is one of ours, whose steps can be watched. */
  engine(options?: EngineOptions): EngineUnderTest {
    return new EngineUnderTest(this.tool(), this.memory, options);
  }

  tool(): OperationTool {
    if (!this.check.tool) throw new Error('Bug: this tool is not made by defineOperation.');
    return this.check.tool(this.#address());
  }

  /** A business intent of its own. */
  async scenario(): Promise<Scenario> {
    return Scenario.begin(this, this.check.input(++this.#intents));
  }

  #address(): DownstreamAddress {
    if (this.#at === null) throw new ConformanceSetupError('The downstream has not been started.');
    return this.#at;
  }

  /** Without these nothing that follows would show anything. */
  async #checkSetup(): Promise<void> {
    const scenario = await this.scenario();
    const told = await scenario.ask(await this.open());
    if (told.says === 'refused') {
      throw new ConformanceSetupError(
        `The tool refused input(1): ${told.text} Give arguments that it carries out, and the caller whom it does it for.`,
      );
    }
    if (scenario.requests().length === 0) {
      throw new ConformanceSetupError(
        `Nothing arrived at the downstream (told: ${told.text}). Point the tool at the address that it is given.`,
      );
    }
    if ((await scenario.effects()).length === 0) {
      throw new ConformanceSetupError(
        `The downstream counts no effect after a call that nothing went wrong with (told: ${told.text}). Its effects() must give all that exists.`,
      );
    }
    if (this.check.tool) await this.#checkInputs();
  }

  async #checkInputs(): Promise<void> {
    const engine = this.engine();
    const plans = await Promise.all([1, 2].map((nth) => engine.plan(Scenario.callOf(this, this.check.input(nth)))));
    const [first, second] = plans.map((plan) => plan.operationId);
    if (first === second && first !== null) {
      throw new ConformanceSetupError(
        `input(1) and input(2) are one operation, ${first}. Give another business intent for each number, or compute the operation ID from what tells them apart.`,
      );
    }
  }
}
