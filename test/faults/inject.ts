import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultyWire, Swallowed } from '../support/faulty-wire';
import { until } from '../support/until';
import type { Cell, Edge, Fault } from './cells';
import type { FaultLimits } from './fault-limits';
import type { FaultWorkerChild } from './fault-worker-child';
import type { Stage } from './stage';

/** What a fault acts on, when all operations of the cell stand at its edge. */
export interface Scene {
  readonly cell: Cell;
  readonly runs: number;
  readonly limits: FaultLimits;
  readonly stage: Stage;
  readonly first: FaultWorkerChild;
  /** Takes no work until it is started; only where the first one is killed or frozen. */
  readonly second: FaultWorkerChild | null;
  readonly providerWire: FaultyWire;
  readonly ledgerWire: FaultyWire;
  readonly temporalWire: FaultyWire;
  /** Lets all go on that is held: in the worker, or by the provider that withholds its answers. */
  release(): void;
}

/** How long a server stays away: longer than one try, shorter than what records an answer gives up. */
const AWAY_MS = 1_500;
/** Above the ledger's own time-out of a statement, 8 s. */
const STATEMENT_OVER_MS = 9_500;
const MARGIN_MS = 1_000;
const TAKEN_WITHIN_MS = 60_000;

/** Ends when the fault is over. Throws where it could not be brought about: such a cell shows nothing. */
export async function inject(scene: Scene): Promise<void> {
  await HOW[scene.cell.fault](scene);
}

/** Whether another worker takes over. */
export function needsSecond(fault: Fault): boolean {
  return /^(sigkill|sigstop.*|half-open-.*-temporal)$/.test(fault);
}

/** Where the operations are held until the fault comes. */
export function heldAt({ edge, fault }: Cell): Edge {
  // The last commit of a call, the row with its result, stands between record and completion.
  return fault === 'commit-cut' && edge === 'after-record-before-completion' ? 'after-answer-before-record' : edge;
}

const HOW: Readonly<Record<Fault, (scene: Scene) => Promise<void>>> = {
  sigkill: async ({ first, second, release }) => {
    first.signal('SIGKILL');
    await takeOver(second);
    release();
  },
  sigstop: async (scene) => {
    await freeze(scene, 0);
  },
  'sigstop-deadline': async (scene) => {
    const { sendWithinMs, answerWithinMs } = scene.limits;
    await freeze(scene, sendWithinMs + answerWithinMs + MARGIN_MS);
  },
  'postgres-restart': async ({ stage, release }) => {
    await stage.crashPostgres();
    try {
      release();
      await sleep(AWAY_MS);
    } finally {
      await stage.startPostgres();
    }
  },
  'commit-cut': async ({ cell, runs, ledgerWire, release }) => {
    ledgerWire.cutAfter(commitAt(cell.edge));
    release();
    await inTime('the commits to be cut', () => ledgerWire.unconfirmed.size === runs);
  },
  'temporal-restart': async ({ stage, release }) => {
    await stage.crashTemporal();
    try {
      release();
      await sleep(AWAY_MS);
    } finally {
      await stage.startTemporal();
    }
  },
  'half-open-to-provider': (scene) => halfOpenToProvider(scene, 'to-server'),
  'half-open-from-provider': (scene) => halfOpenToProvider(scene, 'from-server'),
  'half-open-to-ledger': (scene) => halfOpenToLedger(scene, 'to-server'),
  'half-open-from-ledger': (scene) => halfOpenToLedger(scene, 'from-server'),
  'half-open-to-temporal': (scene) => halfOpenToTemporal(scene, 'to-server'),
  'half-open-from-temporal': (scene) => halfOpenToTemporal(scene, 'from-server'),
  'slow-answer': async ({ cell, limits, release }) => {
    await sleep(everyTimeOutAt(cell.edge, limits) + MARGIN_MS);
    release();
  },
};

async function takeOver(second: FaultWorkerChild | null): Promise<void> {
  if (second === null) throw new Error('Bug: nobody is there to take over.');
  second.order('start');
  await second.ready();
}

/** Wakes the zombie when another worker has taken half of its calls and is about to take the others. */
async function freeze({ first, second, runs, release }: Scene, atLeastMs: number): Promise<void> {
  const since = performance.now();
  first.signal('SIGSTOP');
  try {
    await takeOver(second);
    await inTime('the calls to be taken over', () => (second?.took.size ?? 0) >= runs / 2);
    await sleep(Math.max(0, since + atLeastMs - performance.now()));
  } finally {
    first.signal('SIGCONT');
    release();
  }
}

/** Until the answers' time is over, and some more. */
async function halfOpenToProvider({ providerWire, limits, runs, release }: Scene, direction: Swallowed): Promise<void> {
  providerWire.swallow(direction);
  release();
  try {
    await inTime('the wire to swallow', () => providerWire.swallowed >= runs);
    await sleep(limits.sendWithinMs + limits.answerWithinMs + MARGIN_MS);
  } finally {
    providerWire.mend();
  }
}

async function halfOpenToLedger({ ledgerWire, release }: Scene, direction: Swallowed): Promise<void> {
  ledgerWire.swallow(direction);
  release();
  await sleep(STATEMENT_OVER_MS);
  ledgerWire.mend();
  if (ledgerWire.swallowed === 0) throw new Error('The wire to the ledger has swallowed nothing.');
}

/** The worker passes for dead and goes on in the middle of the other's work, though nobody hears what it has to report. */
async function halfOpenToTemporal({ temporalWire, second, runs, release }: Scene, direction: Swallowed): Promise<void> {
  temporalWire.swallow(direction);
  try {
    await takeOver(second);
    await inTime('the calls to be taken over', () => (second?.took.size ?? 0) >= runs / 2);
  } finally {
    release();
  }
  await sleep(AWAY_MS);
  temporalWire.mend();
}

/** Names the operation whose commit of this edge is in what was said: the kinds of its events stand there as an array. */
function commitAt(edge: Edge): (said: string) => string | null {
  const isIt: Partial<Record<Edge, RegExp>> = {
    'before-mark': /sendonce-(?:insert|append).*"marked"/s,
    'after-answer-before-record': /sendonce-append.*"answered"/s,
    'after-record-before-completion': /insert into "sendonce"\.results /,
  };
  return (said) => (isIt[edge]?.test(said) ? (/refund-pi_\d+/.exec(said)?.[0] ?? null) : null);
}

/** What somebody waits for at the edge: a user's system, the way out, the provider, its SDK, and Temporal for the result. */
function everyTimeOutAt(edge: Edge, limits: FaultLimits): number {
  const { sendWithinMs, answerWithinMs, deliverWithinMs, heartbeatWithinMs } = limits;
  switch (edge) {
    case 'before-mark':
      return Math.max(sendWithinMs, heartbeatWithinMs);
    case 'after-mark':
      return sendWithinMs + answerWithinMs;
    case 'after-effect-before-answer':
    case 'after-answer-before-record':
      return sendWithinMs + answerWithinMs + deliverWithinMs;
    case 'after-record-before-completion':
      return 2 * heartbeatWithinMs;
  }
}

async function inTime(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + TAKEN_WITHIN_MS;
  await until(() => {
    if (performance.now() > end) throw new Error(`Waited ${TAKEN_WITHIN_MS / 1_000} s in vain for ${what}.`);
    return isSo();
  });
}
