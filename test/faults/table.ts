import { table as columns } from '../../src/cli/table';
import { type Cell, cellName, whyMeaningless } from './cells';
import type { Judged } from './judge';
import { repliesOf } from './judge';
import type { CellResult } from './run-cell';

export interface Sum {
  readonly runs: number;
  readonly wrong: number;
  readonly open: number;
}

export function sumOf(results: readonly CellResult[]): Sum {
  const sums = results.map(sumOfCell);
  const total = (name: keyof Sum) => sums.reduce((sum, each) => sum + each[name], 0);
  return { runs: total('runs'), wrong: total('wrong'), open: total('open') };
}

/** A cell whose fault did not come about has shown nothing: all of it is left open. */
export function sumOfCell({ runs, judged, notBroughtAbout }: CellResult): Sum {
  const wrong = judged.filter((each) => each.wrong.length > 0).length;
  const open = judged.filter((each) => each.wrong.length === 0 && each.open.length > 0).length;
  return { runs, wrong, open: notBroughtAbout === null ? open : runs - wrong };
}

/** Last line of the output. */
export function sumText({ runs, wrong, open }: Sum): string {
  return `faults: ${runs} runs, ${wrong} wrong, ${open} left open`;
}

/** One line for a cell that has ended. */
export function progressText(result: CellResult): string {
  const { judged, tookMs } = result;
  const { wrong, open } = sumOfCell(result);
  const states = countText(judged.map(({ state }) => state ?? 'nothing'));
  const verdict = wrong + open === 0 ? 'right' : `${wrong} WRONG, ${open} LEFT OPEN`;
  return `${cellName(result.cell)}: ${states}; ${verdict}; ${(tookMs / 1_000).toFixed(0)} s`;
}

const HEAD = ['edge', 'fault', 'runs', 'effects', 'sends', 'states', 'told', 'seconds to settle'];

export function table(results: readonly CellResult[]): string {
  return columns(HEAD, results.map(row), Number.POSITIVE_INFINITY);
}

function row({ cell, runs, judged, effects, sends, settledAfterMs }: CellResult): string[] {
  const codes = judged.map(({ run }) => {
    const told = repliesOf(run).map(({ code }) => code);
    const later = run.turns.filter(({ kind }) => kind === 'follow_up').map(() => 'end');
    return [...told, ...later].join(' + ');
  });
  return [
    cell.edge,
    cell.fault,
    String(runs),
    String(effects),
    String(sends),
    countText(judged.map(({ state }) => state ?? 'nothing')),
    countText(codes),
    spreadText(settledAfterMs),
  ];
}

/** Least, median and most. */
function spreadText(valuesMs: readonly number[]): string {
  const sorted = valuesMs.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN) / 1_000;
  return sorted.length === 0 ? '' : [at(0), at(0.5), at(1)].map((value) => value.toFixed(1)).join(' / ');
}

function countText(names: readonly string[]): string {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].map(([name, all]) => `${all.length} ${name === '' ? 'nothing' : name}`).join(', ');
}

/** The cells that are not run, each with its reason. */
export function leftOutText(cells: readonly Cell[]): string {
  return cells
    .flatMap((cell) => {
      const why = whyMeaningless(cell);
      return why === null ? [] : [`${cellName(cell)}: ${why}.`];
    })
    .join('\n');
}

/** Everything about a run that is not right. */
export function complaintText(cell: Cell, { run, wrong, open }: Judged): string {
  const events = run.events.map(({ seq, at, ...event }) => {
    const { kind } = event;
    const more = kind === 'registered' ? '' : ` ${JSON.stringify(event)}`;
    return `    ${seq} ${new Date(at).toISOString()} ${kind}${more}`;
  });
  const sends = run.sends.map(({ requestId, key, fate, status }) => `    ${requestId} ${key} ${fate} ${status ?? ''}`);
  const effects = run.effects.map((effect) => `    ${JSON.stringify(effect)}`);
  const told = run.turns.map(({ turn, kind, message, outcome, reply }) => {
    const codes = repliesOf({ turns: run.turns.filter((each) => each.turn === turn) }).map(({ code }) => code);
    return `    ${turn} ${kind} "${message}" ${codes.join()} ${outcome} "${reply}"`;
  });
  return [
    `${cellName(cell)}: ${run.operationId}`,
    ...wrong.map((each) => `  WRONG: ${each}`),
    ...open.map((each) => `  LEFT OPEN: ${each}`),
    '  events:',
    ...events,
    '  requests at the provider:',
    ...sends,
    '  effects at the provider:',
    ...effects,
    '  turns:',
    ...told,
  ].join('\n');
}
