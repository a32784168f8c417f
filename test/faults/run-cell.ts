import { setTimeout as sleep } from 'node:timers/promises';
import { connectClient } from '../../src/client/connect-client';
import { isUnreachable } from '../../src/ledger/database-errors';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { moveClock } from '../../src/ledger/move-clock';
import { milliseconds, minutes, seconds } from '../../src/operations/time';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { type CellParts, closeAll, openParts } from './cell-parts';
import { endReconciliation } from './cell-workflows';
import type { Cell } from './cells';
import { AMOUNT, CURRENCY } from './fault-worker';
import { customerNumbers, gatherRuns } from './gather-runs';
import { heldAt, inject } from './inject';
import { type Judged, judge } from './judge';
import { readProgress } from './read-progress';
import type { Stage } from './stage';

export interface CellOptions {
  readonly runs: number;
  /** Runs a tool that is known to be wrong. */
  readonly broken?: boolean;
}

export interface CellResult {
  readonly cell: Cell;
  readonly runs: number;
  /** Empty where not even that could be found out. */
  readonly judged: readonly Judged[];
  /** Milliseconds from the fault to the settlement, of each operation that settled. */
  readonly settledAfterMs: readonly number[];
  readonly sends: number;
  readonly effects: number;
  /** Why the cell could not be brought about; null where it was. */
  readonly notBroughtAbout: string | null;
  readonly tookMs: number;
  readonly workerErrors: readonly string[];
}

const HELD_WITHIN_MS = 90_000;
/** A heartbeat's time-out, the pauses of retries and a dead worker's cache fit in many times. */
const SETTLED_WITHIN_MS = 150_000;
const LAST_LOOKS_WITHIN_MS = 30_000;
const POLL_MS = 200;
/** What is due in hours is due soon: the ledger's clock is moved, once no call runs any more, in ever longer steps. */
const CLOCK_EVERY_MS = 1_000;
const FIRST_CLOCK_STEP = seconds(5);
const LONGEST_CLOCK_STEP = minutes(2);
/** Above the longest that sent bytes may take to arrive: the last looks at what has several attempts come after that. */
const LAST_LOOKS_AFTER = minutes(20);
/** Many times a refund, so that the provider would make a second one. */
const PAYMENT = 1_000 * AMOUNT;

/** Brings all operations of a cell to its edge, lets the fault happen, waits until all is settled by itself, and judges. */
export async function runCell(stage: Stage, cell: Cell, options: CellOptions): Promise<CellResult> {
  const began = performance.now();
  const { runs } = options;
  const result = await play(stage, cell, options).catch((error: unknown) => {
    // One cell that fails in itself must not take what the others have shown.
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { judged: [], settledAfterMs: [], sends: 0, effects: 0, notBroughtAbout: why, workerErrors: [] };
  });
  return { cell, runs, ...result, tookMs: performance.now() - began };
}

type Played = Omit<CellResult, 'cell' | 'runs' | 'tookMs'>;

async function play(stage: Stage, cell: Cell, options: CellOptions): Promise<Played> {
  const scene = await CellScene.open(stage, cell, options);
  try {
    let notBroughtAbout: string | null = null;
    try {
      await scene.bringToEdge();
      await scene.fail();
    } catch (error) {
      notBroughtAbout = error instanceof Error ? error.message : String(error);
    }
    await scene.settle();
    const judged = await scene.judge();
    const { effects, sends } = scene.stripe.report();
    return {
      judged,
      settledAfterMs: scene.settledAfterMs,
      effects: effects.length,
      sends: sends.length,
      notBroughtAbout,
      workerErrors: scene.workerErrors,
    };
  } finally {
    await scene.close();
  }
}

class CellScene {
  readonly settledAfterMs: number[] = [];
  readonly #closes: (() => Promise<unknown>)[] = [];
  #faultAt = 0;

  private constructor(
    private readonly stage: Stage,
    private readonly cell: Cell,
    private readonly options: CellOptions,
    private readonly parts: CellParts,
  ) {}

  get stripe(): FakeStripe {
    return this.parts.stripe;
  }

  get workerErrors(): readonly string[] {
    return [this.parts.first, this.parts.second].flatMap((worker) => worker?.errors ?? []);
  }

  static async open(stage: Stage, cell: Cell, options: CellOptions): Promise<CellScene> {
    const closes: (() => Promise<unknown>)[] = [];
    try {
      const parts = await openParts(stage, cell, options, (close) => closes.push(close));
      const scene = new CellScene(stage, cell, options, parts);
      scene.#closes.push(...closes);
      return scene;
    } catch (error) {
      await closeAll(closes);
      throw error;
    }
  }

  async bringToEdge(): Promise<void> {
    const { tenant, stripe, first, settings, taskQueue, database } = this.parts;
    const { runs } = this.options;
    const isAtProvider = heldAt(this.cell) === 'after-effect-before-answer';
    const withheld = isAtProvider ? stripe.arm({ route: 'create', kind: 'hold-answer', times: runs }) : null;
    await first.ready();
    const client = await connectClient({ settings, taskQueue });
    this.#closes.push(() => client.close());
    this.#closes.push(async () => endReconciliation(this.stage, await readLedgerId(database), taskQueue));
    await Promise.all(
      customerNumbers(runs).map((name) => {
        stripe.addPayment({ id: `pi_${name}`, amount: PAYMENT, currency: CURRENCY });
        const session = client.session({ tenant, customer: `customer-${name}`, sessionId: `chat-${name}` });
        return session.start(`pi_${name}`, { requestKey: 'refund' });
      }),
    );
    const end = performance.now() + HELD_WITHIN_MS;
    const held = () => withheld?.holding ?? first.held.size;
    while (held() < runs) {
      if (performance.now() > end) throw new Error(`Only ${held()} of ${runs} operations came to the edge.`);
      if (first.hasEnded) throw new Error('The worker ended before its fault.');
      await sleep(20);
    }
  }

  async fail(): Promise<void> {
    const { stage, cell } = this;
    const { first, second, providerWire, ledgerWire, temporalWire, stripe, limits } = this.parts;
    this.#faultAt = performance.now();
    const release = () => {
      first.order('release');
      stripe.releaseAll();
    };
    const { runs } = this.options;
    const wires = { providerWire, ledgerWire, temporalWire };
    await inject({ cell, runs, limits, stage, first, second, ...wires, release });
  }

  /** Waits until everything is settled and told, then until nothing is due any more; or until its time is over. */
  async settle(): Promise<void> {
    const { database } = this.parts;
    const seen = new Set<string>();
    const isSettled = async () => {
      const { settled, turns, untold } = await readProgress(database);
      for (const operationId of settled) {
        if (seen.has(operationId)) continue;
        seen.add(operationId);
        this.settledAfterMs.push(performance.now() - this.#faultAt);
      }
      if (turns > 0) return 'calls' as const;
      return settled.length < this.options.runs || untold > 0 ? ('open' as const) : ('settled' as const);
    };
    if (!(await this.#waitMovingClock(isSettled, SETTLED_WITHIN_MS))) return;
    await moveClock(database, LAST_LOOKS_AFTER);
    const isOver = async () => ((await readProgress(database)).due > 0 ? ('open' as const) : ('settled' as const));
    await this.#waitMovingClock(isOver, LAST_LOOKS_WITHIN_MS);
    await this.#waitMovingClock(isSettled, LAST_LOOKS_WITHIN_MS);
  }

  async #waitMovingClock(look: () => Promise<'calls' | 'open' | 'settled'>, withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    let step = FIRST_CLOCK_STEP;
    for (let movedAt = performance.now(); performance.now() < end; await sleep(POLL_MS)) {
      const now = await look().catch((error: unknown) => {
        // The server that was restarted.
        if (isUnreachable(error)) return 'calls' as const;
        throw error;
      });
      if (now === 'settled') return true;
      // A call that runs counts on the time it was given.
      if (now === 'calls' || performance.now() < movedAt + CLOCK_EVERY_MS) continue;
      movedAt = performance.now();
      await moveClock(this.parts.database, step);
      step = milliseconds(Math.min(2 * step, LONGEST_CLOCK_STEP));
    }
    return false;
  }

  async judge(): Promise<readonly Judged[]> {
    return (await gatherRuns(this.parts, this.stage, this.options.runs)).map(judge);
  }

  async close(): Promise<void> {
    await closeAll(this.#closes);
  }
}
