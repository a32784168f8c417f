import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { workflowSource } from '../workflow-source';
import { hasBegun, type NamedHistory, workflowType } from './history';
import { problemText } from './problem-text';

/** On what is replayed: the package's workflows unless `workflowsPath` or `workflowBundle` says others. As for a worker. */
export type ReplayOn = Pick<
  ReplayWorkerOptions,
  'workflowsPath' | 'workflowBundle' | 'dataConverter' | 'bundlerOptions' | 'interceptors' | 'sinks' | 'plugins'
>;

/** What became of one history. */
export interface ReplayedHistory {
  /** Its workflow's ID, or its file. */
  readonly name: string;
  /** The type of its workflow, for example `agentTurn`. */
  readonly workflowType: string;
  readonly events: number;
  /**
   * `breaks`: these workflows would do something else than the history has; a workflow that runs would stall. `fails`: it
   * could not be replayed at all. `not-begun`: its workflow has done nothing yet, so there is nothing to replay.
   */
  readonly result: 'ok' | 'breaks' | 'fails' | 'not-begun';
  /** Why, in words; null where nothing is wrong. */
  readonly why: string | null;
}

/** Replays one after the other, and gives what became of each, in their order. */
export async function replayHistories(
  histories: readonly NamedHistory[],
  options: ReplayOn = {},
): Promise<ReplayedHistory[]> {
  const begun = histories.filter(({ history }) => hasBegun(history));
  const errors = await errorsOf(begun, options);
  return histories.map((named) => {
    const { name, history } = named;
    const facts = { name, workflowType: workflowType(history), events: history.events?.length ?? 0 };
    const error = errors.get(named);
    if (error === undefined) return { ...facts, result: 'not-begun', why: null };
    if (error === null) return { ...facts, result: 'ok', why: null };
    const result = error instanceof DeterminismViolationError ? 'breaks' : 'fails';
    return { ...facts, result, why: problemText(error, history) };
  });
}

async function errorsOf(
  histories: readonly NamedHistory[],
  options: ReplayOn,
): Promise<ReadonlyMap<NamedHistory, Error | null>> {
  const errors = new Map<NamedHistory, Error | null>();
  if (histories.length === 0) return errors;
  const isNamed = options.workflowsPath !== undefined || options.workflowBundle !== undefined;
  const on = { ...(isNamed ? {} : workflowSource(options)), ...options };
  const given = histories.map(({ name: workflowId, history }) => ({ workflowId, history }));
  let index = 0;
  for await (const { error } of Worker.runReplayHistories(on, given)) {
    const named = histories[index++];
    if (named === undefined) throw new Error('Bug: more results than histories.');
    errors.set(named, error ?? null);
  }
  return errors;
}
