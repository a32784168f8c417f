import type { Command } from '../../operations/command';
import type { Evidence } from '../../operations/evidence';
import type { Model, Move } from './model';
import { type Go, move, nameOf, replace } from './move';
import { looked } from './provider-model';
import { type Execution, spend, type World } from './world';

/** A query takes its time: what it shows is of its beginning, and it is heard of later. */
export function findMoves(
  model: Model,
  world: World,
  execution: Execution,
  command: Command & { kind: 'find' },
  go: Go,
): Move[] {
  const who = nameOf(execution);
  const { busy } = execution;
  if (busy?.kind === 'asking') {
    return [
      move(`${who} has the query's result: ${describe(busy.evidence)}`, go({ kind: 'found', evidence: busy.evidence })),
    ];
  }
  const { scenario } = model;
  const version = model.history(world).events.length;
  const ask = (evidence: Evidence, how: string, from: World = world) =>
    move(
      `${who} asks the provider${how}`,
      replace(from, { ...execution, busy: { kind: 'asking', evidence }, look: { version, evidence } }),
    );
  const whole = looked(scenario, world.provider, world.now, command);
  const complete = ask(whole, '');
  if (world.left.blindQueries === 0) return [complete];
  const blind = spend(world, 'blindQueries');
  const { absence } = scenario.contract;
  // Where absence can be proven, a query lags by less than the promised delay; elsewhere by any time.
  const until = typeof absence === 'string' ? -1 : world.now - absence.neverAcceptedAfter;
  return [
    complete,
    ask(looked(scenario, world.provider, until, command), ', whose query lags behind', blind),
    ...(whole.kind === 'found' && whole.complete
      ? [ask({ ...whole, effects: whole.effects.slice(0, 1), complete: false }, ', whose query shows a part', blind)]
      : []),
    ask({ kind: 'inconclusive', why: 'page 2 failed' }, ', whose query breaks off', blind),
  ];
}

function describe(evidence: Evidence): string {
  if (evidence.kind !== 'found') return evidence.kind;
  return evidence.effects.map(({ externalId, status }) => `${externalId} ${status}`).join(', ');
}
