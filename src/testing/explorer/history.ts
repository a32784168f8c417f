import type { OperationEvent, Recorded } from '../../operations/event';
import type { Operation } from '../../operations/fold';
import type { Engine } from './engine';
import { type Broken, brokenBySave } from './history-rules';

/** One history of the operation in the explored ledger. Equal histories are one node, so that worlds stay small. */
export interface History {
  readonly id: number;
  readonly events: readonly Recorded[];
  readonly operation: Operation | null;
  /** What the last save of this history breaks. */
  readonly broken: readonly Broken[];
}

/**
 * The ledger of the explored worlds: appends if the version is unchanged, as the product's do. It keeps every history
 * that was ever reached, since the worlds branch.
 */
export class Histories {
  readonly #engine: Engine;
  readonly #alarmsImpossible: boolean;
  readonly #nodes: History[];
  readonly #children = new Map<string, number>();

  constructor(engine: Engine, alarmsImpossible: boolean) {
    this.#engine = engine;
    this.#alarmsImpossible = alarmsImpossible;
    this.#nodes = [{ id: 0, events: [], operation: null, broken: [] }];
  }

  get(id: number): History {
    const node = this.#nodes[id];
    if (!node) throw new Error(`Bug: no history ${id}.`);
    return node;
  }

  append(id: number, events: readonly OperationEvent[], at: number): History {
    const json = JSON.stringify(events);
    const name = `${id}|${at}|${json}`;
    const known = this.#children.get(name);
    if (known !== undefined) return this.get(known);
    const before = this.get(id);
    // Through JSON, as the Postgres ledger does.
    const plain: readonly OperationEvent[] = JSON.parse(json);
    const added = plain.map((event, index): Recorded => ({ ...event, seq: before.events.length + index + 1, at }));
    const after = [...before.events, ...added];
    const operation = this.#engine.fold(after);
    const node: History = {
      id: this.#nodes.length,
      events: after,
      operation,
      broken: brokenBySave(this.#engine, before, { events: after, operation }, added, this.#alarmsImpossible),
    };
    this.#nodes.push(node);
    this.#children.set(name, node.id);
    return node;
  }
}
