import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../within';
import type { DownstreamEffect, DownstreamFault, DownstreamRequest, Treatment } from './downstream';
import type { OperationUnderTest, Told, ToolCall } from './operation-under-test';
import type { OperationWorld } from './operation-world';
import { broken } from './promise';
import { counted, shown } from './shown';

/** How the model asks: in the words of the first call or in others, from its session or from another. */
export interface Asking {
  readonly input?: unknown;
  readonly sessionId?: string;
}

/** A request that was held arrives within this once it is let go. */
const ARRIVES_WITHIN_MS = 100;
/** Above what any call takes once nothing is held any more. */
const CALL_WITHIN_MS = 20_000;

let calls = 0;

/** One business intent: who asks for it, what arrived and what came to exist since. */
export class Scenario {
  readonly #world: OperationWorld;
  readonly input: unknown;
  readonly #known: ReadonlySet<string>;
  readonly #requestsBefore: number;

  private constructor(world: OperationWorld, input: unknown, known: readonly DownstreamEffect[]) {
    this.#world = world;
    this.input = input;
    this.#known = new Set(known.map(({ externalId }) => externalId));
    this.#requestsBefore = world.downstream.requests().length;
  }

  static async begin(world: OperationWorld, input: unknown): Promise<Scenario> {
    return new Scenario(world, input, await world.downstream.effects());
  }

  static callOf(
    { check: { caller = { tenant: 'shop', customer: 'customer-77' } } }: OperationWorld,
    input: unknown,
    sessionId = 'chat-1',
  ): ToolCall {
    return { input, ...caller, sessionId, callId: `${sessionId}/1/1/${++calls}` };
  }

  /** A new call for this intent. */
  newCall({ input = this.input, sessionId }: Asking = {}): ToolCall {
    return Scenario.callOf(this.#world, input, sessionId);
  }

  /** The same intent as a model would say it the second time. */
  reworded(): unknown {
    return this.#world.check.reworded?.(this.input) ?? this.input;
  }

  /** Calls, and gives what the model is told. What throws tells of a failure. */
  async ask(process: OperationUnderTest, asking: Asking = {}): Promise<Told> {
    return this.toldBy(this.begin(process, asking));
  }

  /** The same, while the downstream does this to the call's request. */
  async askUnder(fault: DownstreamFault, process: OperationUnderTest): Promise<Told> {
    this.#world.downstream.treatNext(fault);
    const told = await this.ask(process);
    this.#world.downstream.calm();
    return told;
  }

  /** The same call under way. */
  begin(process: OperationUnderTest, asking: Asking = {}): Promise<Told> {
    const call = this.newCall(asking);
    return Promise.resolve()
      .then(() => process.call(call))
      .catch((error: unknown): Told => ({ says: 'not-done', text: `it threw ${shown(error)}` }));
  }

  /** Waits for a call's end; what is held too long is dropped, and a held treatment first of all. */
  async toldBy(asking: Promise<Told>, held?: Treatment): Promise<Told> {
    if (held !== undefined) {
      const told = await within(this.#world.patienceMs, asking);
      if (told !== null) return told;
      held.drop();
    }
    const told = await within(CALL_WITHIN_MS, asking);
    if (told === null) throw broken(`A call was told nothing within ${CALL_WITHIN_MS} ms.`);
    return told;
  }

  /** Lets go of what is held, and waits until it has come through; for a while also to the call that it is of. */
  async letArrive(held: Treatment, asking: Promise<unknown> = Promise.resolve()): Promise<void> {
    held.release();
    await within(this.#world.patienceMs, asking);
    await sleep(ARRIVES_WITHIN_MS);
    this.#world.downstream.calm();
  }

  async effects(): Promise<readonly DownstreamEffect[]> {
    return (await this.#world.downstream.effects()).filter(({ externalId }) => !this.#known.has(externalId));
  }

  requests(): readonly DownstreamRequest[] {
    return this.#world.downstream.requests().slice(this.#requestsBefore);
  }

  /** Where the contract lets the same key be sent again, what was asked for comes to be at last. */
  async isNotLost(what: string): Promise<void> {
    const { key } = this.#world.tool().provider.contract;
    if (key === 'none' || key.replays === 'successes' || (await this.effects()).length > 0) return;
    throw broken(`${what}, the model asked again, and nothing came of it: the intent was lost.`);
  }

  /** Never two effects, and what was told is true. `what` begins the sentence that says how it came to that. */
  async holds(what: string, told: Told): Promise<void> {
    const effects = await this.effects();
    const numbers = effects.map(({ externalId }) => externalId).join(' and ');
    if (effects.length > 1) {
      const keys = [...new Set(this.requests().map(({ key }) => key ?? 'no key'))].join(', ');
      throw broken(
        `${what}, and one intent has ${counted(effects.length, 'effect')}: ${numbers}. Its requests went under ${keys}.`,
      );
    }
    const [effect] = effects;
    if (told.says === 'not-done' && effect !== undefined) {
      throw broken(
        `${what}, and the call was told that it failed (${quoted(told)}), while ${numbers} exists. ` +
          'A model that reads this asks for it once more. Nobody knows after a lost answer: say that it is unknown, and find out.',
      );
    }
    if (told.says === 'done' && effect === undefined) {
      throw broken(`${what}, and the call was told that it is done (${quoted(told)}), while nothing exists.`);
    }
    const number = told.externalId ?? null;
    if (told.says === 'done' && number !== null && number !== effect?.externalId) {
      throw broken(`${what}, and the call was told of ${number}, while ${numbers} exists.`);
    }
  }
}

export function quoted({ text }: Told): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
