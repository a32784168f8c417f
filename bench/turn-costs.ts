import { nextUnit } from './compare';
import { type HistorySize, historySize } from './history-size';
import type { Measure, Side } from './measure';
import type { Stage } from './stage';
import { countStatements, type Statements } from './statements';
import { type TaskTimes, taskTimes } from './task-times';

/** What one turn of a side leaves in Temporal, asks of Postgres, and spends its time on when it is alone. */
export interface TurnCost {
  readonly name: string;
  readonly history: HistorySize;
  readonly statements: Statements;
  readonly tasks: TaskTimes;
}

export interface TurnCosts {
  readonly id: string;
  readonly title: string;
  readonly ours: TurnCost;
  readonly against: TurnCost;
}

export async function turnCosts(
  stage: Stage,
  { id, title, ours, against }: Measure,
  turns: number,
): Promise<TurnCosts> {
  return { id, title, ours: await turnCost(stage, ours, turns), against: await turnCost(stage, against, turns) };
}

async function turnCost({ temporal }: Stage, side: Side, turns: number): Promise<TurnCost> {
  const units = Array.from({ length: turns }, nextUnit);
  const workflowIds = units.map((unit) => {
    const workflowId = side.workflowIdOf?.(unit);
    if (workflowId === undefined) throw new Error(`Bug: ${side.name} is a turn and names no workflow.`);
    return workflowId;
  });
  for (const unit of units) await side.run(unit);
  const histories = await Promise.all(workflowIds.map((each) => temporal.workflow.getHandle(each).fetchHistory()));
  const [first = ''] = workflowIds;
  const history = await historySize(temporal, first);
  const statements = await countStatements(() => side.run(nextUnit()));
  return { name: side.name, history, statements, tasks: taskTimes(histories) };
}
