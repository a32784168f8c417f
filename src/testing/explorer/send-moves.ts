import type { Command, CommandResult } from '../../operations/command';
import type { Outcome } from '../../operations/outcome';
import type { Model, Move } from './model';
import { type Go, move, nameOf, replace, unseen } from './move';
import { notSubmitted, unknown } from './provider-model';
import { type Execution, type Flight, spend, type World } from './world';
import { brokenByLeaving } from './world-rules';

/** A send leaves before its deadline or never; its answer is heard, comes too late, or is never heard of. */
export function sendMoves(
  model: Model,
  world: World,
  execution: Execution,
  command: Command & { kind: 'send' },
  go: Go,
): Move[] {
  const who = nameOf(execution);
  const { generation, attempt, key, request } = command;
  const what = `attempt ${attempt} of generation ${generation}`;
  const { busy } = execution;
  if (busy === null) {
    const stays = move(`${who} cannot send ${what}: it does not leave`, go(answered(notSubmitted('did not leave'))));
    if (world.now >= execution.readAt + command.sendWithin) return [{ ...stays, unseen: true }];
    const flight: Flight = {
      generation,
      attempt,
      call: execution.call,
      activityAttempt: execution.activityAttempt,
      heard: 'waiting',
      key,
      body: request.body,
      leftAt: world.now,
    };
    const sending = replace(world, { ...execution, busy: { kind: 'sending', leftAt: world.now } });
    const sent = [...world.sent, { generation, attempt, key, body: request.body }];
    const left: World = { ...sending, sent, flights: [...sending.flights, flight] };
    const leaves = move(`${who} sends ${what} under ${key}`, left, brokenByLeaving(model, world, flight));
    return world.left.losses > 0 ? [leaves, { ...stays, world: spend(stays.world, 'losses') }] : [leaves];
  }
  if (busy.kind !== 'sending') return [];
  const own = (sent: { generation: number; attempt: number }) =>
    sent.generation === generation && sent.attempt === attempt;
  const answer = world.answers.find(own);
  const moves: Move[] = [];
  if (answer) {
    const rest = { ...world, answers: world.answers.filter((other) => other !== answer) };
    moves.push(move(`${who} hears ${answer.outcome.kind}`, go(answered(answer.outcome), rest)));
  } else if (!world.flights.some(own)) {
    moves.push(unseen(`${who} sees its connection cut`, go(answered(unknown('connection cut')))));
    return moves;
  }
  if (world.now >= busy.leftAt + command.answerWithin) {
    const late = <Sent extends { generation: number; attempt: number; heard: string }>(sent: Sent): Sent =>
      own(sent) ? { ...sent, heard: 'late' } : sent;
    const after: World = { ...world, flights: world.flights.map(late), answers: world.answers.map(late) };
    moves.push(move(`${who} stops waiting for the answer`, go(answered(unknown('no answer in time')), after)));
  }
  return moves;
}

function answered(outcome: Outcome): CommandResult {
  return { kind: 'answered', outcome };
}
