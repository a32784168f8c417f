import { columns } from '../test/support/columns';
import type { Comparison, SideResult } from './compare';
import type { Aim } from './measure';
import type { BenchResult } from './result';
import type { TaskTime } from './task-times';
import type { TurnCosts } from './turn-costs';

/** The result as people read it, 100 columns wide. */
export function table({ measures, turns, quick, machine, seconds }: BenchResult): string {
  const { cores, platform, node } = machine;
  return [
    '',
    `Ours against the other way, within one run: ${cores} cores, ${platform}, Node ${node}, ${Math.round(seconds)} s.`,
    'The ratio is the median of the rounds, with the lowest and the highest round. CPU: ours / other, of the process that is',
    'client and worker, without the servers.',
    ...(quick ? ['Quick: too few units for the numbers to mean much.'] : []),
    '',
    ...columns([
      ['', 'at a time', 'ours', 'other', 'ratio of', '', '(rounds)', 'aim', '', 'CPU'],
      ...measures.map(measureRow),
    ]),
    '',
    ...measures.filter(isFirst).map((each) => `${each.title}: ${each.ours.name} / ${each.against.name}.`),
    '',
    ...columns([['', '', 'events', 'bytes', 'reads', 'commits'], ...turns.flatMap((each) => turnRows(each))]),
    '',
  ].join('\n');
}

function measureRow({ title, unit, atATime, ours, against, ratio, aim, aimMet }: Comparison): string[] {
  const value = (side: SideResult) =>
    unit === 'turn' ? `${side.msPerUnit.median.toFixed(0)} ms` : `${side.perSecond.median.toFixed(0)}/s`;
  return [
    title,
    String(atATime),
    value(ours),
    value(against),
    aim.of,
    ratio.median.toFixed(2),
    `(${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`,
    aimText(aim),
    aimMet ? 'met' : 'MISSED',
    (ours.cpuMsPerUnit.median / against.cpuMsPerUnit.median).toFixed(2),
  ];
}

function aimText(aim: Aim): string {
  return aim.of === 'throughput' ? `≥ ${aim.atLeast.toFixed(2)}` : `≤ ${aim.atMost.toFixed(2)}`;
}

function turnRows({ title, ours, against }: TurnCosts): string[][] {
  return [ours, against].map(({ name, history, statements, tasks }, index) => [
    index === 0 ? title : '',
    name,
    String(history.events),
    String(history.bytes),
    String(statements.reads),
    String(statements.writes),
    taskText(tasks.workflowTasks),
    taskText(tasks.activities),
  ]);
}

function taskText({ count, waiting, running }: TaskTime): string {
  return `${Math.round(count)} × (${waiting.toFixed(1)} + ${running.toFixed(1)})`;
}

/** A measure has a row for each number at a time, and one explanation. */
function isFirst({ id }: Comparison, index: number, all: readonly Comparison[]): boolean {
  return all.findIndex((each) => each.id === id) === index;
}
