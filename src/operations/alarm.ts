import { type Generation, refusalOf, wasSent } from './generation';
import type { Outcome } from './outcome';
import { type Effect, effectsOf, isLive, type Sighting, succeededAndFailed } from './sighting';

/** A person's "no effect" for a generation, and what they had seen when they said it. */
export interface PersonSaidNone {
  readonly generation: number;
  readonly sawVersion: number;
}

/**
 * What cannot be true if all went as it should (rule 11). Each fact is a stable sentence: a person's act ends the facts
 * it saw, and a fact that was not there then raises the alarm again, while repeated evidence adds none.
 */
export function alarmFacts(
  generations: readonly Generation[],
  sightings: readonly Sighting[],
  saidNone: readonly PersonSaidNone[],
  answers: readonly Outcome[],
): string[] {
  // Of every answer, not of an attempt's last one: what a later answer to the attempt settles takes no alarm back.
  const facts = new Set(
    answers.flatMap((outcome) => (outcome.kind === 'unknown' && outcome.alarm !== undefined ? [outcome.alarm] : [])),
  );
  for (const sighting of sightings) {
    for (const fact of sightingFacts(sighting)) facts.add(fact);
  }
  generations.forEach((generation, index) => {
    const effects = effectsOf(generation.number, sightings);
    const said = saidNone.filter((one) => one.generation === generation.number);
    // What a person knew of when they said "none" is no contradiction to the generation that their leave opened.
    const superseded = index < generations.length - 1 && said.length === 0;
    for (const fact of generationFacts(generation, effects, superseded)) facts.add(fact);
    for (const fact of said.flatMap((one) => afterSaidNone(effects, sightings, one))) facts.add(fact);
  });
  return [...facts].sort();
}

function sightingFacts({ externalId, mismatch, generation }: Sighting): string[] {
  if (mismatch !== null) return [`${externalId} bears our operation ID but ${mismatch}.`];
  if (generation === 'ambiguous') return [`${externalId} fits more than one generation that was sent.`];
  if (generation === 'foreign')
    return [`${externalId} bears our operation ID but was made under a key that is not ours.`];
  return [];
}

function generationFacts(generation: Generation, effects: readonly Effect[], superseded: boolean): string[] {
  const facts: string[] = [];
  if (effects.length > 1) {
    facts.push(`There are ${effects.length} effects: ${effects.map((effect) => effect.externalId).join(', ')}.`);
  }
  for (const effect of effects) {
    const { externalId } = effect;
    if (succeededAndFailed(effect)) facts.push(`${externalId} succeeded and failed.`);
    if (!isLive(effect)) continue;
    if (!wasSent(generation)) facts.push(`${externalId} exists, but generation ${generation.number} was never sent.`);
    else if (superseded || refusalOf(generation) !== null) {
      facts.push(`${externalId} exists, but generation ${generation.number} was rejected.`);
    }
  }
  return facts;
}

/** The live effects of which they could not have known what is known now. */
function afterSaidNone(effects: readonly Effect[], sightings: readonly Sighting[], said: PersonSaidNone): string[] {
  return effects
    .filter((effect) => isLive(effect) && isNewsTo(said, effect, sightings))
    .map(
      ({ externalId }) => `${externalId} exists, but a person said that generation ${said.generation} had no effect.`,
    );
}

/** Whether the effect, or a status of it, was told only since. */
function isNewsTo({ sawVersion }: PersonSaidNone, { externalId }: Effect, sightings: readonly Sighting[]): boolean {
  const own = sightings.filter(
    (sighting) => sighting.externalId === externalId && sighting.mismatch === null && sighting.status !== 'failed',
  );
  const known = new Set(own.filter(({ seq }) => seq <= sawVersion).map(statusNow));
  return own.some((sighting) => !known.has(statusNow(sighting)));
}

/** What it says of now: a stored copy no more than that the provider took it. */
function statusNow({ status, copy }: Sighting): Sighting['status'] {
  return copy ? 'pending' : status;
}
