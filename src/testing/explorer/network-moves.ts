import { type Model, type Move, NEIGHBOUR_PREFIX, OPERATION_ID } from './model';
import { move, nameOf } from './move';
import {
  foundEffect,
  type MadeEffect,
  type ProviderWorld,
  type StoredKey,
  storedUnder,
  treatments,
} from './provider-model';
import { type Answer, type Flight, ledgerNow, spend, type World } from './world';
import { brokenByEffect } from './world-rules';

/** What the network and the provider may do next. */
export function networkMoves(model: Model, world: World): Move[] {
  return [
    ...world.flights.flatMap((flight) => flightMoves(model, world, flight)),
    ...world.answers.flatMap((answer) => answerMoves(model, world, answer)),
    ...effectMoves(model, world),
  ];
}

function flightMoves(model: Model, world: World, flight: Flight): Move[] {
  const { scenario } = model;
  const landed: World = { ...world, flights: world.flights.filter((other) => other !== flight) };
  const what = `attempt ${flight.attempt} of generation ${flight.generation}`;
  const moves: Move[] = [];
  for (const { story, provider, outcome, made, fault } of treatments(scenario, world.provider, flight, world.now)) {
    if (fault && world.left.faults === 0) continue;
    const after = fault ? spend({ ...landed, provider }, 'faults') : { ...landed, provider };
    const broken = made ? brokenByEffect(model, world, made, world.provider.effects) : [];
    const { generation, attempt, call, activityAttempt, heard } = flight;
    const told = `${what} arrives; the provider ${story}`;
    if (heard === 'nobody') {
      moves.push(move(told, after, broken));
      continue;
    }
    const answer: Answer = { generation, attempt, call, activityAttempt, heard, outcome };
    moves.push(move(told, { ...after, answers: [...after.answers, answer] }, broken));
    if (world.left.losses > 0) moves.push(move(`${told}, and the answer is lost`, spend(after, 'losses'), broken));
  }
  if (world.left.losses > 0) moves.push(move(`${what} is lost on its way`, spend(landed, 'losses')));
  return moves;
}

/** An answer that nobody waits for any more is recorded as evidence, if its process still lives. */
function answerMoves(model: Model, world: World, answer: Answer): Move[] {
  if (answer.heard !== 'late') return [];
  const { call, activityAttempt, generation, attempt, outcome } = answer;
  const setup = model.setup(world, { call, activityAttempt });
  const event = model.engine.answeredEvent(setup, { generation, attempt }, outcome);
  const history = model.histories.append(world.history, [event], ledgerNow(world));
  const rest = world.answers.filter((other) => other !== answer);
  const story = `${nameOf(answer)} records the late answer to attempt ${attempt} of generation ${generation}: ${outcome.kind}`;
  return [move(story, { ...world, answers: rest, history: history.id }, history.broken)];
}

function effectMoves(model: Model, world: World): Move[] {
  return [...strangerMoves(world), ...neighbourMoves(model, world), ...statusMoves(model, world)];
}

function strangerMoves(world: World): Move[] {
  if (world.left.strangers === 0) return [];
  const { effects } = world.provider;
  const externalId = `re_${effects.length + 1}`;
  const stranger: MadeEffect = {
    externalId,
    status: 'succeeded',
    key: '',
    generation: 0,
    attempt: 0,
    call: '',
    at: world.now,
    owner: 'stranger',
    bounced: false,
  };
  const after = { ...spend(world, 'strangers'), provider: { ...world.provider, effects: [...effects, stranger] } };
  return [move(`somebody makes ${externalId} with our operation ID and another amount`, after)];
}

/** Another tenant's call of the same operation ID is carried out: its own key must keep it apart from ours. */
function neighbourMoves({ engine, scenario }: Model, world: World): Move[] {
  if (world.left.neighbours === 0) return [];
  const key = engine.keyOf(OPERATION_ID, 1, NEIGHBOUR_PREFIX);
  const { effects, keys } = world.provider;
  if (storedUnder(scenario.contract, world.provider, key, world.now) !== null) return [];
  const externalId = `re_${effects.length + 1}`;
  const { now: at } = world;
  const own = { externalId, status: 'succeeded', key, at } as const;
  const effect: MadeEffect = { ...own, generation: 0, attempt: 0, call: '', owner: 'neighbour', bounced: false };
  const stored: StoredKey = { ...own, stored: 'effect' };
  const provider: ProviderWorld = {
    keys: scenario.contract.key === 'none' ? keys : [...keys, stored],
    effects: [...effects, effect],
  };
  return [move(`another tenant makes ${externalId} under ${key}`, { ...spend(world, 'neighbours'), provider })];
}

function statusMoves(model: Model, world: World): Move[] {
  return world.provider.effects.flatMap((effect, index): Move[] => {
    const moves: Move[] = [];
    if (effect.status === 'pending') {
      for (const status of ['succeeded', 'failed'] as const) {
        const effects = world.provider.effects.with(index, { ...effect, status });
        const after = { ...world, provider: { ...world.provider, effects } };
        moves.push(move(`the provider's ${effect.externalId} is ${status}`, after));
      }
    }
    if (effect.status === 'succeeded' && effect.owner === 'us' && world.left.bounces > 0) {
      const effects = world.provider.effects.with(index, { ...effect, status: 'failed', bounced: true });
      const after = { ...spend(world, 'bounces'), provider: { ...world.provider, effects } };
      moves.push(move(`the provider's ${effect.externalId} fails after it succeeded`, after));
    }
    const { operation } = model.history(world);
    // A neighbour's webhook is about the neighbour's operation: its key tells whose.
    if (world.left.webhooks > 0 && operation !== null && effect.owner !== 'neighbour') {
      const now = ledgerNow(world);
      const found = foundEffect(effect, model.scenario.tellsKeys);
      const evidence = { kind: 'found', effects: [found], complete: false } as const;
      const generation = operation.current.number;
      const event = { kind: 'evidence', source: 'webhook', generation, begunAt: now, evidence, final: false } as const;
      const history = model.histories.append(world.history, [event], now);
      const after = spend({ ...world, history: history.id }, 'webhooks');
      moves.push(move(`a webhook tells that ${effect.externalId} is ${effect.status}`, after, history.broken));
    }
    return moves;
  });
}
