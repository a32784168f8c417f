import { executionMoves } from './execution-moves';
import { LOOK, type Model, type Move, OPERATION_ID } from './model';
import { move, nameOf, remove } from './move';
import { tell } from './tell';
import { type CallWorld, type Execution, ledgerNow, spend, type World } from './world';

/** What Temporal, the workflows and dying workers may do next. */
export function activityMoves(model: Model, world: World): Move[] {
  return [
    ...world.calls.flatMap((call, index) => callMoves(model, world, call, index)),
    ...world.executions.flatMap((execution) => crashMoves(world, execution)),
    ...lookMoves(model, world),
  ];
}

function callMoves(model: Model, world: World, call: CallWorld, index: number): Move[] {
  const name = model.scenario.calls[index]?.name ?? '';
  if (call.ended) return [];
  if (call.planned === null) {
    const planned = model.engine.plannedGeneration(model.history(world).operation);
    const after: World = { ...world, calls: world.calls.with(index, { ...call, planned }) };
    return [move(`${name} is planned for generation ${planned}`, after)];
  }
  const latest = world.executions.find((one) => one.call === name && one.activityAttempt === call.attempts);
  const moves: Move[] = [];
  if (call.attempts < model.scenario.activityAttempts && (!latest || world.left.overlaps > 0)) {
    const start = startMove(model, latest ? spend(world, 'overlaps') : world, call, index, name);
    if (!latest) return [{ ...start, unseen: true }];
    moves.push(start);
  }
  const usedUp = call.attempts === model.scenario.activityAttempts && !latest;
  if (usedUp) moves.push(closeMove(model, world, index, name));
  else if (world.left.closings > 0 && call.attempts > 0) {
    moves.push(closeMove(model, spend(world, 'closings'), index, name));
  }
  return moves;
}

function startMove(model: Model, world: World, call: CallWorld, index: number, name: string): Move {
  const activityAttempt = call.attempts + 1;
  const execution: Execution = {
    call: name,
    activityAttempt,
    step: model.firstStep(),
    readAt: world.now,
    commands: 0,
    busy: null,
  };
  const older = world.executions.some((one) => one.call === name);
  const story = `${nameOf(execution)} starts${older ? ', while the older attempt is only frozen' : ''}`;
  return move(story, {
    ...world,
    calls: world.calls.with(index, { ...call, attempts: activityAttempt }),
    executions: [...world.executions, execution],
  });
}

/** As the workflow does when the activity failed for good: fence the call, then tell what is true. */
function closeMove(model: Model, world: World, index: number, name: string): Move {
  const { engine, histories } = model;
  const activityAttempt = Number.MAX_SAFE_INTEGER;
  const { operation: before, events: known } = model.history(world);
  const generation = model.planned(world, name);
  const closing = {
    call: model.callRef(name, activityAttempt),
    generation,
    tool: 'refund_line_item',
    provider: 'explored',
    why: 'it failed for good',
  };
  const events = engine.closingEvents(before, closing, known);
  const history =
    events.length === 0 ? model.history(world) : histories.append(world.history, events, ledgerNow(world));
  const after: World = { ...world, history: history.id };
  const { operation } = history;
  if (operation === null) throw new Error('A closed call has no operation.');
  const { tool } = operation;
  const subject = { tool, operationId: OPERATION_ID, callId: name, activityAttempt, generation };
  const reply = engine.replyFor(operation, subject, model.read(after).now);
  const told = tell(model, after, { call: name, activityAttempt }, reply, history.events.length);
  const story = `${name} is closed by its workflow and told ${reply.code}`;
  const calls = told.world.calls.map((one, at) => (at === index ? { ...one, ended: true } : one));
  return move(story, { ...told.world, calls }, [...(events.length === 0 ? [] : history.broken), ...told.broken]);
}

/** The worker dies: its execution, the answers it waits for, and its late listeners. */
function crashMoves(world: World, execution: Execution): Move[] {
  if (world.left.crashes === 0) return [];
  const own = ({ call, activityAttempt }: Pick<Execution, 'call' | 'activityAttempt'>) =>
    call === execution.call && activityAttempt === execution.activityAttempt;
  const after: World = {
    ...spend(remove(world, execution), 'crashes'),
    flights: world.flights.map((flight) => (own(flight) ? { ...flight, heard: 'nobody' } : flight)),
    answers: world.answers.filter((answer) => !own(answer)),
  };
  return [move(`${nameOf(execution)} dies`, after)];
}

function lookMoves(model: Model, world: World): Move[] {
  if (world.left.looks === 0 || model.history(world).operation === null) return [];
  const execution: Execution = {
    call: LOOK,
    activityAttempt: model.scenario.budget.looks - world.left.looks + 1,
    step: model.firstStep(),
    readAt: world.now,
    commands: 0,
    busy: null,
  };
  const after: World = { ...spend(world, 'looks'), executions: [...world.executions, execution] };
  return executionMoves(model, after, execution).map((first) => ({ ...first, story: `${first.story}, for a look` }));
}
