import type { CommandResult } from '../../operations/command';
import { concernOf } from '../../operations/concern';
import { nextDue } from '../../operations/due';
import { isSettled } from '../../operations/state';
import type { Broken } from './history-rules';
import type { Model } from './model';
import { looked, treatments } from './provider-model';
import { reconciliationName } from './reconciliation-name';
import { SET_BACK_FAR } from './scenario';
import { brokenByDecision, type Decider } from './sending-rules';
import { type Flight, ledgerNow, type World } from './world';
import { brokenByEffect, brokenByLeaving } from './world-rules';

/** More looks than it takes to come to the last boundary: what is registered is left alone for a while. */
const ENOUGH_LOOKS = 40;
/** Where it is looked at rarely, and where nobody can be asked, it is looked at for long and nothing comes of it. */
const IDLE_LOOKS = 2;

export interface Ended {
  readonly world: World;
  readonly broken: readonly Broken[];
}

/**
 * Reconciliation alone with the operation, each time it is due, until nothing is left to do or a person has it. The
 * provider answers honestly now, and carries out what it is sent.
 */
export function reconcileToTheEnd(model: Model, from: World): Ended {
  // A clock that is far behind makes a window longer that opened since, and nobody can tell: somebody has set it right.
  let world: World = { ...from, paused: false, setBack: from.setBack >= SET_BACK_FAR ? 0 : from.setBack };
  let idle = 0;
  let checks = 0;
  const { contract } = model.scenario;
  for (let looks = 0; looks < ENOUGH_LOOKS; looks++) {
    const { operation, events } = model.history(world);
    if (operation === null) return { world, broken: [] };
    const due = nextDue(operation, events, contract, model.read(world).now, checks);
    if (due === null) return { world, broken: [] };
    const isIdle =
      concernOf(operation, events, model.read(world).now) === 'look-rarely' ||
      (isSettled(operation.state) && !model.scenario.hasQuery);
    if (isIdle && idle++ === IDLE_LOOKS) return { world, broken: [] };
    const once = reconcileOnce(model, { ...world, now: Math.max(world.now, due + world.setBack) }, looks + 1_000);
    if (once.broken.length > 0) return once;
    checks = once.world.history === world.history ? checks + 1 : 0;
    world = once.world;
  }
  const { operation } = model.history(world);
  const rule = 'Rule 14: reconciliation comes to an end';
  const state = operation?.state ?? 'registered';
  if (isSettled(state)) return { world, broken: [{ rule, what: `It is ${state}, and looked at without end.` }] };
  return { world, broken: [{ rule, what: `It is ${state} after every boundary is over.` }] };
}

function reconcileOnce(model: Model, from: World, number: number): Ended {
  let world = from;
  let { state, command } = model.engine.start();
  const generation = model.history(world).operation?.current.number ?? 1;
  const call = reconciliationName(number, generation, 'chat-1');
  const setup = model.setup(world, { call, activityAttempt: 1 });
  const broken: Broken[] = [];
  let decider: Decider = {};
  const go = (result: CommandResult) => {
    ({ state, command } = model.engine.step(setup, state, result));
  };
  for (let commands = 0; commands < 20; commands++) {
    const { now, events } = model.read(world);
    switch (command.kind) {
      case 'finish':
      case 'retry':
        return { world, broken };
      case 'load':
        go({ kind: 'loaded', now, events });
        break;
      case 'find': {
        const evidence = looked(model.scenario, world.provider, world.now, command);
        decider = { look: { version: events.length, evidence } };
        go({ kind: 'found', evidence });
        break;
      }
      case 'save': {
        const before = model.history(world);
        broken.push(...brokenByDecision(model.scenario, before, decider, null, command.events, state.now));
        if (command.events.some(({ kind }) => kind === 'marked')) decider = {};
        const history = model.histories.append(world.history, command.events, ledgerNow(world));
        world = { ...world, history: history.id };
        broken.push(...history.broken);
        go({ kind: 'saved', now });
        break;
      }
      case 'send': {
        const { attempt, key, request } = command;
        const sent = { generation: command.generation, attempt, key, body: request.body };
        const flight: Flight = { ...sent, call, activityAttempt: 1, heard: 'waiting', leftAt: world.now };
        broken.push(...brokenByLeaving(model, world, flight));
        const [treatment] = treatments(model.scenario, world.provider, flight, world.now);
        if (!treatment) throw new Error('Bug: the provider does nothing.');
        if (treatment.made) broken.push(...brokenByEffect(model, world, treatment.made, world.provider.effects));
        world = { ...world, provider: treatment.provider, sent: [...world.sent, sent] };
        go({ kind: 'answered', outcome: treatment.outcome });
        break;
      }
      default:
        throw new Error(`Reconciliation wants to ${command.kind}.`);
    }
  }
  throw new Error('Reconciliation does not end.');
}
