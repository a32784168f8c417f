import type { MarkedEvent } from '../../operations/event';
import { wasSent } from '../../operations/generation';
import type { Reply } from '../../operations/reply';
import type { Broken } from './history-rules';
import type { Model } from './model';
import { isAlive, type MadeEffect, storedUnder, wasAlive } from './provider-model';
import { type Flight, ledgerNow, type Sent, type Told, type World } from './world';

/** What it breaks that these bytes leave now. */
export function brokenByLeaving(model: Model, world: World, flight: Flight): Broken[] {
  const broken: Broken[] = [];
  const mark = markOf(model, world, flight);
  const now = ledgerNow(world);
  if (!mark) {
    return [{ rule: 'Rule 1: nothing is sent without a committed mark', what: describe(flight) }];
  }
  if (now >= mark.sendBy) {
    broken.push({
      rule: 'Rule 3: nothing is sent after its deadline',
      what: `${describe(flight)} left at ${now}, not before ${mark.sendBy}.`,
    });
  }
  const earlier = model
    .history(world)
    .operation?.generations.find(({ number }) => number === flight.generation)
    ?.attempts.find(({ number, outcome }) => number < flight.attempt && outcome?.kind !== 'not-submitted');
  const first =
    earlier &&
    world.sent.find(({ generation, attempt }) => generation === flight.generation && attempt === earlier.number);
  if (first && (first.key !== flight.key || first.body !== flight.body)) {
    broken.push({
      rule: 'Rule 5: a resend is the first request again',
      what: `${describe(flight)} is ${flight.key} "${flight.body}", the first was ${first.key} "${first.body}".`,
    });
  }
  const open = world.flights.find(
    (other) => other.generation < flight.generation && wouldTakeEffect(model, world, other),
  );
  if (open) {
    broken.push({
      rule: 'Rule 2: no generation is sent while the one before may still take effect',
      what: `${describe(flight)} leaves while ${describe(open)} is under way.`,
    });
  }
  return broken;
}

/** What it breaks that this effect is made now. `others` are the effects before it. */
export function brokenByEffect(
  model: Model,
  world: World,
  effect: MadeEffect,
  others: readonly MadeEffect[],
): Broken[] {
  const broken: Broken[] = [];
  const { key } = model.scenario.contract;
  const forgotten =
    key !== 'none' &&
    world.provider.keys.some((stored) => stored.key === effect.key && stored.at + key.window <= world.now);
  if (forgotten) {
    broken.push({
      rule: 'Rule 6: a key is used inside its window only',
      what: `${describe(effect)} arrived after the provider forgot ${effect.key}.`,
    });
  }
  if (!isAlive(effect)) return broken;
  const second = others.find(isAlive);
  if (second) {
    broken.push({
      rule: 'Rule 2: one operation has one effect',
      what: `${effect.externalId} (${describe(effect)}) beside ${second.externalId} (${describe(second)}).`,
    });
  }
  const mark = markOf(model, world, effect);
  for (const told of world.told) {
    const contradicted =
      told.code === 'rejected' ? told.generation === effect.generation : isEarlier(told, effect, mark);
    if (contradicted || told.call === effect.call) {
      broken.push({
        rule: `Rule 4: who is told ${told.code} has no effect`,
        what: `${told.call} was told ${told.code}, and ${describe(effect)} of ${effect.call} made ${effect.externalId}.`,
      });
    }
  }
  return broken;
}

function isEarlier(
  told: Told,
  { generation }: Pick<Sent, 'generation'>,
  mark: { readonly seq: number } | undefined,
): boolean {
  return told.code !== 'conflict' && told.generation === generation && mark !== undefined && mark.seq <= told.upTo;
}

/** What it breaks that this call is told this now; `world.told` holds it already. */
export function brokenByReply(model: Model, world: World, call: string, reply: Reply, upTo: number): Broken[] {
  const broken: Broken[] = [];
  const alive = world.provider.effects.filter(isAlive);
  const { code } = reply;
  const history = model.history(world);
  const byPerson = history.events.some((event) => event.kind === 'resolved' && event.verdict.as === 'confirmed');
  if ((code === 'done' || code === 'already_done') && !world.provider.effects.some(wasAlive) && !byPerson) {
    broken.push({ rule: 'Rule 4: done is told only where the effect exists', what: `${call} was told ${code}.` });
  }
  const told = world.told.findLast((one) => one.call === call);
  if (!told || told.code !== code) return broken;
  for (const effect of alive) {
    const mark = markOf(model, world, effect);
    const contradicted = code === 'rejected' ? told.generation === effect.generation : isEarlier(told, effect, mark);
    if (contradicted) {
      broken.push({
        rule: `Rule 4: who is told ${code} has no effect`,
        what: `${call} was told ${code}, and ${effect.externalId} exists.`,
      });
    }
  }
  if (code === 'not_submitted') {
    const before = model.engine.fold(history.events.slice(0, upTo));
    const own = before?.generations.find(({ number }) => number === model.planned(world, call));
    if (own && wasSent(own)) {
      broken.push({
        rule: 'Rule 4: not_submitted is told only where nothing was sent',
        what: `${call} was told not_submitted, and generation ${own.number} was sent.`,
      });
    }
  }
  return broken;
}

/** What the ledger says and is not so. */
export function brokenInWorld(model: Model, world: World): Broken[] {
  const { operation, events } = model.history(world);
  if (operation === null) return [];
  const { state, current } = operation;
  const alive = world.provider.effects.filter(isAlive);
  const own = alive.find(({ generation }) => generation === current.number);
  if (own && (state === 'rejected' || state === 'dropped' || state === 'registered')) {
    return [{ rule: `Rule 8: ${state} is certain`, what: `${own.externalId} exists, and the operation is ${state}.` }];
  }
  const byPerson = events.some((event) => event.kind === 'resolved');
  const back = failedAfterCopy(model, world);
  if (back !== undefined && state !== 'escalated' && !byPerson) {
    const what = `A stored answer told that ${back} had succeeded, it failed, and the operation is ${state}.`;
    return [{ rule: 'Rule 11: a success that failed later is an alarm, whoever told of it', what }];
  }
  if (state === 'confirmed' && !world.provider.effects.some(wasAlive) && !byPerson) {
    return [{ rule: 'Rule 4: confirmed is certain', what: 'No effect exists, and the operation is confirmed.' }];
  }
  return [];
}

/** An effect that the ledger has as failed, though the provider repeated an answer to us in which it had succeeded. */
function failedAfterCopy(model: Model, { history, provider }: World): string | undefined {
  const { events } = model.histories.get(history);
  const copies = events.flatMap((event) =>
    event.kind === 'answered' && event.outcome.kind === 'accepted' && event.outcome.replayed
      ? [event.outcome.externalId]
      : [],
  );
  if (copies.length === 0) return undefined;
  const found = events.flatMap((event) =>
    event.kind === 'evidence' && event.evidence.kind === 'found' ? event.evidence.effects : [],
  );
  return copies.find(
    (copy) =>
      provider.keys.some(({ externalId, status }) => externalId === copy && status === 'succeeded') &&
      found.some(({ externalId, status }) => externalId === copy && status === 'failed'),
  );
}

/** Whether the bytes, arriving now, would be carried out. */
export function wouldTakeEffect({ scenario }: Model, world: World, { key }: Pick<Flight, 'key'>): boolean {
  return storedUnder(scenario.contract, world.provider, key, world.now) === null;
}

function markOf(model: Model, world: World, { generation, attempt }: Pick<Sent, 'generation' | 'attempt'>) {
  return model
    .history(world)
    .events.find(
      (event): event is MarkedEvent & { seq: number; at: number } =>
        event.kind === 'marked' && event.generation === generation && event.attempt === attempt,
    );
}

function describe({ generation, attempt }: Pick<Sent, 'generation' | 'attempt'>): string {
  return `attempt ${attempt} of generation ${generation}`;
}
