import type { PersonVerdict } from '../../operations/event';
import { isSettled } from '../../operations/state';
import type { Broken } from './history-rules';
import { LOOK, type Model } from './model';
import { foundEffect, isAlive, looked } from './provider-model';
import { reconcileToTheEnd } from './reconcile-to-the-end';
import { ledgerNow, type World } from './world';

/** Long after everything: no deadline, window or delay is left. */
const LONG_AFTER = 100_000;

/**
 * Rule 14: where nothing moves any more, the operation ends. The provider finishes what is pending and answers a query
 * honestly; reconciliation comes whenever it is due, until it is settled or before a person, who says what is true and
 * is believed.
 */
export function endgame(model: Model, world: World): readonly Broken[] {
  const { executions, flights, answers, calls } = world;
  if (executions.length + flights.length + answers.length > 0) return [];
  if (!calls.every(({ ended }) => ended)) return [];
  if (calls.some(({ code }) => code === null)) {
    return [{ rule: 'Rule 14: every call is told something', what: 'A call ended without a reply.' }];
  }
  if (model.history(world).operation === null) return [];
  return model.endOf(world, () => endOf(model, world));
}

function endOf(model: Model, world: World): readonly Broken[] {
  const { operation, events } = model.history(world);
  if (operation?.state === 'registered' && operation.current.waitsFor === null) {
    // An answer that comes when every call is over may show that nothing was sent: reconciliation drops that.
    const last = events.findLast(({ kind }) => kind === 'marked' || kind === 'answered' || kind === 'closed');
    if (last?.kind === 'answered') return reconcileToTheEnd(model, world).broken;
    const what = 'Every call has ended, and what was recorded and not sent stands.';
    return [{ rule: 'Rule 14: what is recorded and not sent ends with its calls', what }];
  }
  const effects = world.provider.effects.map((effect) =>
    effect.status === 'pending' ? { ...effect, status: 'succeeded' as const } : effect,
  );
  const reconciled = reconcileToTheEnd(model, { ...world, provider: { ...world.provider, effects } });
  if (reconciled.broken.length > 0) return reconciled.broken;
  const later: World = { ...reconciled.world, now: reconciled.world.now + LONG_AFTER };
  const asked = model.scenario.hasQuery ? look(model, later) : hearOfBounces(model, later);
  // A look at one number that raises an alarm saw that number only; the person who has it then asks for everything.
  const alarmed = model.scenario.hasQuery && (model.history(asked).operation?.alarms.length ?? 0) > 0;
  return ended(model, alarmed ? look(model, asked) : asked);
}

/** Where nobody can ask, only a webhook tells that a success failed later; it is delivered some day. */
function hearOfBounces(model: Model, world: World): World {
  const bounced = world.provider.effects.filter((effect) => effect.bounced);
  if (bounced.length === 0) return world;
  const effects = bounced.map((effect) => foundEffect(effect, model.scenario.tellsKeys));
  const now = ledgerNow(world);
  const generation = model.history(world).operation?.current.number ?? 1;
  const evidence = { kind: 'found', effects, complete: false } as const;
  const event = { kind: 'evidence', source: 'webhook', generation, begunAt: now, evidence, final: false } as const;
  return { ...world, history: model.histories.append(world.history, [event], now).id };
}

/** A whole `look`, with a complete query and nobody else about. */
function look(model: Model, from: World): World {
  let world = from;
  let { state, command } = model.engine.start();
  // Nobody in person: what ends by itself must end by looks at what is open.
  const setup = { ...model.setup(world, { call: LOOK, activityAttempt: 1_000 }), purpose: 'look' as const };
  for (let commands = 0; commands < 20; commands++) {
    const { now, events } = model.read(world);
    if (command.kind === 'finish') return world;
    if (command.kind === 'load')
      ({ state, command } = model.engine.step(setup, state, { kind: 'loaded', now, events }));
    else if (command.kind === 'find') {
      const evidence = looked(model.scenario, world.provider, world.now, command);
      ({ state, command } = model.engine.step(setup, state, { kind: 'found', evidence }));
    } else if (command.kind === 'save') {
      world = { ...world, history: model.histories.append(world.history, command.events, now).id };
      ({ state, command } = model.engine.step(setup, state, { kind: 'saved', now }));
    } else throw new Error(`A look wants to ${command.kind}.`);
  }
  throw new Error('A look does not end.');
}

function ended(model: Model, world: World): Broken[] {
  const { events, operation, broken } = model.history(world);
  if (broken.length > 0) return [...broken];
  const alive = world.provider.effects.filter(isAlive);
  if (operation === null || isSettled(operation.state)) return [];
  const living = alive.at(-1);
  const verdict: PersonVerdict = living
    ? { as: 'confirmed', externalId: living.externalId }
    : { as: 'rejected', allowResend: true };
  const resolution = { by: 'ops', note: 'looked', sawVersion: events.length, verdict, lookedAt: ledgerNow(world) };
  const answer = model.engine.resolve(operation, events, resolution, model.scenario.hasQuery);
  const claim = verdict.as === 'confirmed' ? `confirmed ${verdict.externalId}` : 'none';
  const rule = 'Rule 14: a person can end what nothing else settles';
  if (answer.kind === 'refused') {
    return [{ rule, what: `State ${operation.state}; the true word "${claim}" is refused: ${answer.why}` }];
  }
  const after = model.histories.append(world.history, [answer.event], ledgerNow(world)).operation;
  if (after !== null && isSettled(after.state)) return [];
  return [{ rule, what: `After the true word "${claim}" the state is ${after?.state}: ${after?.reason}` }];
}
