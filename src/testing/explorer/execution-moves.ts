import type { Command, CommandResult } from '../../operations/command';
import type { Reply } from '../../operations/reply';
import { findMoves } from './find-moves';
import type { Broken } from './history-rules';
import { LOOK, type Model, type Move } from './model';
import { advance, type Go, move, nameOf, remove, unseen } from './move';
import { isReconciliation } from './reconciliation-name';
import { sendMoves } from './send-moves';
import { brokenByDecision } from './sending-rules';
import { tell } from './tell';
import { type Execution, ledgerNow, spend, type World } from './world';

/** More commands than any honest execution needs; each lost race costs two. */
const ENDLESS = 60;

/** What one execution may do next: exactly one command, or one half of a send or a query. */
export function executionMoves(model: Model, world: World, execution: Execution): Move[] {
  const { command } = model.stepOf(execution);
  const who = nameOf(execution);
  const go = (result: CommandResult, after: World = world) => advance(model, after, execution, result);
  switch (command.kind) {
    case 'load': {
      const { now, events, pauses } = model.read(world);
      const { pausedAtRead: _before, ...rest } = execution;
      const fresh = { ...rest, readAt: world.now, ...(world.paused && { pausedAtRead: true as const }) };
      const after = advance(model, world, fresh, { kind: 'loaded', now, events, pauses });
      return [move(`${who} reads the ledger at ${now} (version ${events.length})`, after, endless(execution))];
    }
    case 'prepare':
      return prepareMoves(model, world, execution, command, go);
    case 'save':
      return saveMoves(model, world, execution, command);
    case 'send':
      return sendMoves(model, world, execution, command, go);
    case 'find':
      return findMoves(model, world, execution, command, go);
    case 'wait':
      return [unseen(`${who} waits a little`, go({ kind: 'waited' }))];
    case 'finish':
      return [finish(model, world, execution, command.reply)];
    case 'retry':
      return [unseen(`${who} ends and asks to be run again: ${command.why}`, remove(world, execution))];
  }
}

function endless({ commands }: Execution): Broken[] {
  if (commands < ENDLESS) return [];
  return [{ rule: 'Rule 14: every execution ends', what: `It has carried out ${commands} commands.` }];
}

function prepareMoves(
  model: Model,
  world: World,
  execution: Execution,
  command: Command & { kind: 'prepare' },
  go: Go,
): Move[] {
  const who = nameOf(execution);
  const body = `${execution.call}, generation ${command.generation}`;
  const request = { account: '', path: 'POST /refunds', version: '1', body };
  const { intent } = model.setup(world, execution);
  const prepared = move(`${who} computes the request`, go({ kind: 'prepared', request, intent }));
  if (world.left.refusals === 0) return [{ ...prepared, unseen: true }];
  const refused = go({ kind: 'refused', message: 'Not yours.' }, spend(world, 'refusals'));
  return [prepared, move(`${who} is refused by the business`, refused)];
}

function saveMoves(model: Model, world: World, execution: Execution, command: Command & { kind: 'save' }): Move[] {
  const who = nameOf(execution);
  const what = command.events.map((event) => event.kind).join(' + ');
  if (command.before.length !== model.history(world).events.length) {
    const after = advance(model, world, execution, { kind: 'lost' });
    return [unseen(`${who} loses the race to save ${what}`, after, endless(execution))];
  }
  const at = ledgerNow(world);
  const history = model.histories.append(world.history, command.events, at);
  const written: World = { ...world, history: history.id };
  const { look, ...rest } = execution;
  const isMark = command.events.some((event) => event.kind === 'marked');
  const after = isMark || look === undefined ? rest : { ...rest, look };
  const saved = advance(model, written, after, { kind: 'saved', now: at });
  // The time it knows of: the clock may have been set back since it read it.
  const { now } = model.stepOf(execution).state;
  const planned = isReconciliation(execution.call) ? null : model.planned(world, execution.call);
  const decided = brokenByDecision(model.scenario, model.history(world), execution, planned, command.events, now);
  const moves = [move(`${who} saves ${what}`, saved, [...decided, ...history.broken])];
  // Only answers are saved persistently; where another save cannot tell, the execution ends: that is a crash.
  if (world.left.cutCommits > 0 && command.events.some((event) => event.kind === 'answered')) {
    const lost = advance(model, spend(written, 'cutCommits'), execution, { kind: 'lost' });
    moves.push(move(`${who} saves ${what}, hears nothing of it and tries once more`, lost, history.broken));
  }
  return moves;
}

/** The first reply of a call is stored, whichever of its attempts brings it; Temporal counts the latest attempt only. */
function finish(model: Model, world: World, execution: Execution, reply: Reply): Move {
  const { events } = model.stepOf(execution).state;
  const { world: after, broken } = tell(model, remove(world, execution), execution, reply, events.length);
  const { crashes, closings, overlaps } = world.left;
  const alone = world.executions.filter(({ call }) => call === execution.call).length === 1;
  const certain =
    execution.call === LOOK || isReconciliation(execution.call) || (alone && crashes + closings + overlaps === 0);
  return { story: `${nameOf(execution)} ends with ${reply.code}`, world: after, broken, unseen: certain };
}
