import type { Reply, ReplyCode } from '../../operations/reply';
import { willBeTold } from './announcement-rules';
import type { Broken } from './history-rules';
import type { Model } from './model';
import type { Execution, Told, World } from './world';
import { brokenByReply } from './world-rules';

const PROMISES: readonly ReplyCode[] = ['in_progress', 'waiting', 'approval_required', 'outcome_unknown', 'escalated'];

/** The call's reply becomes what the model reads, if it is the first. */
export function tell(
  model: Model,
  world: World,
  { call, activityAttempt }: Pick<Execution, 'call' | 'activityAttempt'>,
  reply: Reply,
  upTo: number,
): { world: World; broken: readonly Broken[] } {
  const index = model.scenario.calls.findIndex(({ name }) => name === call);
  const known = world.calls[index];
  if (!known) return { world, broken: [] };
  const ended = known.ended || activityAttempt >= known.attempts;
  const calls = world.calls.with(index, { ...known, ended, code: known.code ?? reply.code });
  if (known.code !== null) return { world: { ...world, calls }, broken: [] };
  const { code } = reply;
  const unheard = unheardOf(model, world, call, reply, upTo);
  const current = model.engine.fold(model.history(world).events.slice(0, upTo))?.current.number ?? 1;
  const planned = model.planned(world, call);
  const isNothing = code === 'rejected' || code === 'not_submitted' || code === 'invalid_input' || code === 'conflict';
  const generation = code === 'not_submitted' ? current : Math.min(planned, code === 'rejected' ? current : planned);
  const told: Told[] = isNothing ? [...world.told, { call, code, generation, upTo }] : [...world.told];
  const after: World = { ...world, calls, told };
  return { world: after, broken: [...unheard, ...brokenByReply(model, after, call, reply, upTo)] };
}

/** Who is told something unfinished is promised that they will hear. */
function unheardOf(model: Model, world: World, call: string, reply: Reply, upTo: number): Broken[] {
  if (!PROMISES.includes(reply.code)) return [];
  const events = model.history(world).events.slice(0, upTo);
  const generation = model.engine.fold(events)?.current.number ?? 1;
  const { sessionId } = model.callRef(call, 1);
  if (willBeTold(events, generation, sessionId)) return [];
  const what = `${call} was told ${reply.code}, and nobody knows that ${sessionId} waits.`;
  return [{ rule: 'Told later, once: whoever is told something unfinished is noted', what }];
}
