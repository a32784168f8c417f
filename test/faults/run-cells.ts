import { type Cell, endsServer } from './cells';
import { type CellOptions, type CellResult, runCell } from './run-cell';
import type { Stage } from './stage';

/** Much of a cell is waiting for time-outs. */
const AT_A_TIME = 2;

/** Two at a time, but for those that take a server from all others. Results stand in the order of the cells. */
export async function runCells(
  stage: Stage,
  cells: readonly Cell[],
  options: CellOptions,
  onEnd: (result: CellResult) => void = () => undefined,
): Promise<readonly CellResult[]> {
  const results = new Map<Cell, CellResult>();
  const run = async (queue: Cell[]) => {
    for (let cell = queue.shift(); cell !== undefined; cell = queue.shift()) {
      const result = await runCell(stage, cell, options);
      results.set(cell, result);
      onEnd(result);
    }
  };
  const together = cells.filter(({ fault }) => !endsServer(fault));
  const alone = cells.filter(({ fault }) => endsServer(fault));
  await Promise.all(Array.from({ length: AT_A_TIME }, () => run(together)));
  await run(alone);
  return cells.flatMap((cell) => results.get(cell) ?? []);
}
