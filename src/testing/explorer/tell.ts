import type { Reply } from '../../operations/reply';
import type { Broken } from './history-rules';
import type { Model } from './model';
import type { Execution, Told, World } from './world';
import { brokenByReply } from './world-rules';

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
  const current = model.engine.fold(model.history(world).events.slice(0, upTo))?.current.number ?? 1;
  const planned = model.planned(world, call);
  const isNothing = code === 'rejected' || code === 'not_submitted' || code === 'invalid_input' || code === 'conflict';
  const generation = code === 'not_submitted' ? current : Math.min(planned, code === 'rejected' ? current : planned);
  const told: Told[] = isNothing ? [...world.told, { call, code, generation, upTo }] : [...world.told];
  const after: World = { ...world, calls, told };
  return { world: after, broken: brokenByReply(model, after, call, reply, upTo) };
}
