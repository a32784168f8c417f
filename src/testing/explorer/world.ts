import type { Evidence } from '../../operations/evidence';
import type { Outcome } from '../../operations/outcome';
import type { ReplyCode } from '../../operations/reply';
import type { ProviderWorld } from './provider-model';
import type { Budget, Scenario } from './scenario';

/** Everything that can differ between two moments of two traces: plain data, compared by its JSON. */
export interface World {
  /** True time. The ledger's clock shows it less `setBack`. */
  readonly now: number;
  readonly setBack: number;
  /** Whether people have paused the provider. */
  readonly paused: boolean;
  /** The ledger: a history's number. */
  readonly history: number;
  readonly calls: readonly CallWorld[];
  /** Running, frozen or waiting; the dead are gone. */
  readonly executions: readonly Execution[];
  /** Requests that left and did not arrive yet. */
  readonly flights: readonly Flight[];
  /** Answers on their way back. */
  readonly answers: readonly Answer[];
  /** All that ever left. */
  readonly sent: readonly Pick<Flight, 'generation' | 'attempt' | 'key' | 'body'>[];
  readonly provider: ProviderWorld;
  /** What the model was told, as far as it says that nothing was or will be done. */
  readonly told: readonly Told[];
  readonly left: Budget;
}

export interface CallWorld {
  readonly planned: number | null;
  /** Activity attempts started. */
  readonly attempts: number;
  /** The reply that was stored: the first one, whichever attempt brought it. */
  readonly code: ReplyCode | null;
  /** The latest attempt has finished or the workflow has closed the call. */
  readonly ended: boolean;
}

/** One activity attempt of a call, a look, or reconciliation. */
export interface Execution {
  /** A call's name, `look`, or what reconciliation is called. */
  readonly call: string;
  readonly activityAttempt: number;
  /** Number of the step it stands at. */
  readonly step: number;
  /** True time of its last load: its local deadline counts from here. */
  readonly readAt: number;
  /** Commands so far. */
  readonly commands: number;
  /** Whether its last load said that the provider is paused. */
  readonly pausedAtRead?: true;
  /** Its own query since it last marked: what it shows, and the version at which it began. */
  readonly look?: { readonly version: number; readonly evidence: Evidence };
  readonly busy:
    | null
    | { readonly kind: 'sending'; readonly leftAt: number }
    | { readonly kind: 'asking'; readonly evidence: Evidence };
}

export interface Sent {
  readonly generation: number;
  readonly attempt: number;
  readonly call: string;
  readonly activityAttempt: number;
  /** Who hears the answer: the execution that waits, its process after the time-out, or nobody. */
  readonly heard: 'waiting' | 'late' | 'nobody';
}

export interface Flight extends Sent {
  readonly key: string;
  readonly body: string;
  readonly leftAt: number;
}

export interface Answer extends Sent {
  readonly outcome: Outcome;
}

export interface Told {
  readonly call: string;
  readonly code: 'rejected' | 'not_submitted' | 'invalid_input' | 'conflict';
  readonly generation: number;
  /** The version that it rests on. */
  readonly upTo: number;
}

export function firstWorld({ calls, budget }: Scenario): World {
  return {
    now: 1_000,
    setBack: 0,
    paused: false,
    history: 0,
    calls: calls.map(({ planned }) => ({
      planned: planned === 'start' ? 1 : null,
      attempts: 0,
      code: null,
      ended: false,
    })),
    executions: [],
    flights: [],
    answers: [],
    sent: [],
    provider: { keys: [], effects: [] },
    told: [],
    left: budget,
  };
}

export function ledgerNow(world: World): number {
  return world.now - world.setBack;
}

/** A world with one mishap or act less to come. */
export function spend(world: World, ...names: readonly (keyof Budget)[]): World {
  const left = { ...world.left };
  for (const name of names) left[name] -= 1;
  return { ...world, left };
}
