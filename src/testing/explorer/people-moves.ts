import type { PersonVerdict } from '../../operations/event';
import { stateAt } from '../../operations/state';
import type { Broken } from './history-rules';
import type { Model, Move } from './model';
import { move } from './move';
import { isAlive } from './provider-model';
import { ledgerNow, spend, type World } from './world';
import { wouldTakeEffect } from './world-rules';

/** What people may do: put an operation before a person, and say what they found. */
export function peopleMoves(model: Model, world: World): Move[] {
  const { events, operation } = model.history(world);
  if (world.left.acts === 0 || operation === null) return [];
  const moves: Move[] = [];
  const now = stateAt(operation, model.read(world).now);
  if (now === 'unknown' || now === 'accepted') {
    const event = { kind: 'escalated', generation: operation.current.number, reason: 'No answer.' } as const;
    const history = model.histories.append(world.history, [event], ledgerNow(world));
    moves.push(move('it is put before a person', spend({ ...world, history: history.id }, 'acts'), history.broken));
  }
  for (const sawVersion of [events.length, events.length - 1]) {
    for (const verdict of verdicts(world)) moves.push(...actMoves(model, world, verdict, sawVersion));
  }
  return moves;
}

function verdicts(world: World): PersonVerdict[] {
  const succeeded = world.provider.effects.filter(({ status, owner }) => status === 'succeeded' && owner === 'us');
  return [
    ...succeeded.map(({ externalId }): PersonVerdict => ({ as: 'confirmed', externalId })),
    { as: 'rejected', allowResend: true },
    { as: 'rejected', allowResend: false },
  ];
}

/** A person's word is true by assumption; an untrue one must be refused wherever the queries could know better. */
function actMoves(model: Model, world: World, verdict: PersonVerdict, sawVersion: number): Move[] {
  const { engine, histories, scenario } = model;
  const { events, operation } = model.history(world);
  const { now } = model.read(world);
  const resolution = { by: 'ops', note: 'looked', sawVersion, verdict, lookedAt: now };
  const answer = engine.resolve(operation, events, resolution, scenario.hasQuery);
  if (answer.kind === 'refused') return [];
  const untrue = verdict.as === 'rejected' && mayExist(model, world);
  if (untrue && (!scenario.hasQuery || scenario.budget.blindQueries > 0)) return [];
  const history = histories.append(world.history, [answer.event], now);
  const broken: Broken[] = untrue
    ? [{ rule: "Rule 12: a person's rejected is refused while an effect may exist", what: 'It was accepted.' }]
    : [];
  const word =
    verdict.as === 'confirmed' ? `confirmed ${verdict.externalId}` : `none${verdict.allowResend ? ', send again' : ''}`;
  const story = `a person who saw version ${sawVersion} says: ${word}`;
  return [move(story, spend({ ...world, history: history.id }, 'acts'), [...broken, ...history.broken])];
}

/** Whether an effect exists or can still come of what was marked. */
export function mayExist(model: Model, world: World): boolean {
  if (world.provider.effects.some(isAlive)) return true;
  if (world.flights.some((flight) => wouldTakeEffect(model, world, flight))) return true;
  return world.executions.some((execution) => {
    const { command } = model.stepOf(execution);
    if (command.kind !== 'send' || execution.busy !== null) return false;
    return world.now < execution.readAt + command.sendWithin;
  });
}
