import type { Model, Move } from './model';
import { move } from './move';
import { type MomentName, SET_BACK, SET_BACK_FAR } from './scenario';
import { spend, type World } from './world';

/** Time goes on to a moment at which something ends, or the ledger's clock is set back. */
export function clockMoves(model: Model, world: World): Move[] {
  const moves: Move[] = [];
  if (world.left.jumps > 0) {
    for (const [at, what] of moments(model, world)) {
      if (isForgottenUnseen(model, world, at)) continue;
      moves.push(move(`time goes on to ${at} (${what})`, spend({ ...world, now: at }, 'jumps')));
    }
  }
  if (world.left.setBacks > 0) {
    const back = (by: number) => spend({ ...world, setBack: world.setBack + by }, 'setBacks');
    moves.push(move("the ledger's clock is set back", back(SET_BACK)));
    if (windowsAreOver(model, world)) moves.push(move("the ledger's clock is set back far", back(SET_BACK_FAR)));
  }
  return moves;
}

/**
 * Whether the ledger itself has written, at its own time, that no key can be used any more. From then on it must know,
 * however wrong its clock; a clock that is set back while a window is open makes the window longer, and nobody can tell.
 */
function windowsAreOver({ scenario, histories }: Model, world: World): boolean {
  const { key } = scenario.contract;
  if (key === 'none') return false;
  const { events } = histories.get(world.history);
  const latest = Math.max(...events.map(({ at }) => at));
  const marks = events.filter((event) => event.kind === 'marked');
  return marks.length > 0 && marks.every(({ decidedAt }) => decidedAt + key.window - key.margin <= latest);
}

/**
 * Whether the provider has forgotten a key by then whose window the ledger's clock, far behind, still shows as open: a
 * window that opened after the clock was set back is as much longer, and nobody can tell. It is the one thing that is
 * assumed of the ledger's clock (docs/proof.md).
 */
function isForgottenUnseen({ scenario, histories }: Model, world: World, at: number): boolean {
  const { key } = scenario.contract;
  if (key === 'none' || world.setBack < SET_BACK_FAR) return false;
  const marks = histories.get(world.history).events.filter((event) => event.kind === 'marked');
  return world.provider.keys.some((stored) => {
    if (stored.at + key.window > at) return false;
    const own = world.sent.filter((sent) => sent.key === stored.key);
    const decided = marks
      .filter((mark) =>
        own.some(({ generation, attempt }) => mark.generation === generation && mark.attempt === attempt),
      )
      .map(({ decidedAt }) => decidedAt);
    return decided.length > 0 && at - world.setBack < Math.min(...decided) + key.window - key.margin;
  });
}

/** The interesting moments to come. What is under way arrives or is lost before its longest delivery is over. */
function moments({ scenario, histories }: Model, world: World): Map<number, MomentName> {
  const { contract } = scenario;
  const last = Math.min(...world.flights.map(({ leftAt }) => leftAt + contract.deliverWithin));
  const found = new Map<number, MomentName>();
  const add = (at: number, what: MomentName) => {
    if (scenario.moments.includes(what) && at > world.now && at <= last) found.set(at, found.get(at) ?? what);
  };
  const { events } = histories.get(world.history);
  const latest = events.at(-1);
  if (latest) add(latest.at + world.setBack + scenario.limits.leftBehindAfter, 'left behind');
  for (const event of events) {
    if (event.kind !== 'marked') continue;
    const on = (ledgerTime: number) => ledgerTime + world.setBack;
    add(on(event.sendBy), 'send deadline');
    add(on(event.answerBy) + 1, 'answer overdue');
    add(on(event.arriveBy) + 1, 'nothing arrives any more');
    add(on(event.decidedAt) + contract.acceptedFor + 1, 'pending too long');
    if (contract.key === 'none') add(on(event.decidedAt) + contract.escalateAfter + 1, 'a person is called');
    if (typeof contract.absence !== 'string') {
      add(on(event.arriveBy) + contract.absence.neverAcceptedAfter + 1, 'absence is proof');
    }
    if (contract.key !== 'none') {
      add(on(event.decidedAt) + contract.key.window - contract.key.margin - 1, 'last resend');
      add(on(event.decidedAt) + contract.key.window - contract.key.margin + 1, 'resends end');
    }
  }
  if (contract.key !== 'none') {
    for (const { at } of world.provider.keys) add(at + contract.key.window, 'key forgotten');
  }
  for (const { leftAt } of world.flights) add(leftAt + contract.deliverWithin, 'last arrival');
  return found;
}
