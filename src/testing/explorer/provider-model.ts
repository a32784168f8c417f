import type { FindCommand } from '../../operations/command';
import type { Contract } from '../../operations/contract';
import type { EffectStatus, Evidence, FoundEffect } from '../../operations/evidence';
import type { Outcome, Receipt } from '../../operations/outcome';
import type { Behaviour, Scenario } from './scenario';
import type { Flight } from './world';

/** The provider's own truth. The product never sees it but through answers, queries and webhooks. */
export interface ProviderWorld {
  readonly keys: readonly StoredKey[];
  readonly effects: readonly MadeEffect[];
}

export interface StoredKey {
  readonly key: string;
  readonly at: number;
  readonly stored: 'effect' | 'refusal' | 'error';
  readonly externalId: string | null;
  /** The effect's status in the answer that was stored; it is repeated as it was. Null for what is no effect. */
  readonly status: EffectStatus | null;
}

export interface MadeEffect {
  readonly externalId: string;
  readonly status: EffectStatus;
  readonly key: string;
  readonly generation: number;
  readonly attempt: number;
  readonly call: string;
  readonly at: number;
  /**
   * `stranger`: it bears our operation ID and has another amount. `neighbour`: another tenant's, of the same operation ID
   * and the same content, in an account that both share; it has that tenant's key.
   */
  readonly owner: 'us' | 'stranger' | 'neighbour';
  /** It succeeded and failed later. */
  readonly bounced: boolean;
}

/** What the provider may do with a request that arrives now. */
export interface Treatment {
  readonly story: string;
  readonly provider: ProviderWorld;
  readonly outcome: Outcome;
  readonly made: MadeEffect | null;
  readonly fault: boolean;
}

const RECEIPT: Receipt = { requestId: null, httpStatus: null, detail: '' };

/** What is said of an answer to our key that is about something else. */
export const NOT_OURS = 'The provider answered our key with re_9, but its amount is 5, not 10.';

export function isAlive(effect: MadeEffect): boolean {
  return effect.status !== 'failed' && effect.owner === 'us';
}

/** Whether the effect exists, or existed when it was told of. */
export function wasAlive(effect: MadeEffect): boolean {
  return isAlive(effect) || effect.bounced;
}

/** The answer it stored under this key, while it still knows it. */
export function storedUnder({ key }: Contract, provider: ProviderWorld, name: string, now: number): StoredKey | null {
  if (key === 'none') return null;
  return provider.keys.findLast((stored) => stored.key === name && now < stored.at + key.window) ?? null;
}

export function treatments(scenario: Scenario, provider: ProviderWorld, flight: Flight, now: number): Treatment[] {
  const stored = storedUnder(scenario.contract, provider, flight.key, now);
  if (stored) return [replay(scenario.contract, provider, stored)];
  const fresh = (behaviour: Behaviour | 'succeeds') => treat(scenario.contract, provider, flight, now, behaviour);
  return [fresh('succeeds'), ...scenario.behaviours.map(fresh)];
}

function replay({ key }: Contract, provider: ProviderWorld, stored: StoredKey): Treatment {
  const done = { provider, made: null, fault: false };
  if (stored.stored === 'refusal') {
    return { ...done, story: 'repeats its stored refusal', outcome: rejected('all', null) };
  }
  if (stored.stored === 'error') {
    return { ...done, story: 'repeats its stored error', outcome: unknown('500, repeated', 'pointless') };
  }
  const effect = provider.effects.find(({ externalId }) => externalId === stored.externalId);
  if (!effect) throw new Error('Bug: a key was stored without its effect.');
  const { externalId, status } = effect;
  const latest = key !== 'none' && key.replays === 'latest-status';
  if (!latest && stored.status !== null) {
    const copy = { status: stored.status, receipt: RECEIPT };
    const outcome: Outcome = { kind: 'accepted', externalId, replayed: true, ...copy };
    return { ...done, story: `repeats its stored answer: ${externalId} ${stored.status}`, outcome };
  }
  return { ...done, story: `tells that ${externalId} is ${status}`, outcome: answerOf(status, externalId) };
}

function treat(
  contract: Contract,
  provider: ProviderWorld,
  flight: Flight,
  now: number,
  behaviour: Behaviour | 'succeeds',
): Treatment {
  const { key } = contract;
  const externalId = `re_${provider.effects.length + 1}`;
  const make = (status: EffectStatus): MadeEffect => {
    const { generation, attempt, call } = flight;
    return { externalId, status, key: flight.key, generation, attempt, call, at: now, owner: 'us', bounced: false };
  };
  const store = (stored: StoredKey['stored'], effect: MadeEffect | null): ProviderWorld => ({
    keys: [...provider.keys, { key: flight.key, at: now, stored, ...answered(stored === 'effect' ? effect : null) }],
    effects: effect ? [...provider.effects, effect] : provider.effects,
  });
  const everyAnswer = key !== 'none' && key.replays === 'every-answer';
  const unsafe = key !== 'none' && key.replays === 'successes' && key.effectAndSuccessAreOne !== true;
  const fault = { provider, made: null, fault: true };
  switch (behaviour) {
    case 'succeeds': {
      const made = make('succeeded');
      const outcome = answerOf('succeeded', externalId);
      return { story: `makes ${externalId}`, provider: store('effect', made), outcome, made, fault: false };
    }
    case 'pends': {
      const made = make('pending');
      const outcome = answerOf('pending', externalId);
      return {
        story: `takes ${externalId}, to be finished`,
        provider: store('effect', made),
        outcome,
        made,
        fault: true,
      };
    }
    case 'fails': {
      const made = make('failed');
      const outcome = answerOf('failed', externalId);
      return {
        story: `makes ${externalId}, which failed`,
        provider: store('effect', made),
        outcome,
        made,
        fault: true,
      };
    }
    case 'refuses':
      return {
        ...fault,
        story: everyAnswer ? 'refuses and stores it' : 'refuses',
        provider: everyAnswer ? store('refusal', null) : provider,
        outcome: rejected('all', null),
      };
    case 'refuses-early':
      return { ...fault, story: 'refuses before execution', outcome: rejected('attempt', null) };
    case 'turns-away':
      return {
        ...fault,
        story: 'turns it away (429)',
        outcome: { kind: 'not-submitted', why: 'turned away', receipt: RECEIPT },
      };
    case 'answers-another': {
      const what = { why: NOT_OURS, alarm: NOT_OURS, receipt: RECEIPT };
      return {
        ...fault,
        story: 'answers with another object',
        outcome: { kind: 'unknown', resend: 'unsafe', ...what },
      };
    }
    case 'errs-with-effect': {
      const made = make('succeeded');
      const after = everyAnswer
        ? store('error', made)
        : unsafe
          ? { ...provider, effects: [...provider.effects, made] }
          : store('effect', made);
      const outcome = unknown('500', everyAnswer ? 'pointless' : unsafe ? 'unsafe' : 'allowed');
      return { story: `makes ${externalId} and answers 500`, provider: after, outcome, made, fault: true };
    }
    case 'errs-without-effect':
      return {
        ...fault,
        story: 'answers 500 and makes nothing',
        provider: everyAnswer ? store('error', null) : provider,
        outcome: unknown('500', everyAnswer ? 'pointless' : unsafe ? 'unsafe' : 'allowed'),
      };
    case 'breaks':
      return { ...fault, story: 'never sees it (502)', outcome: unknown('502', unsafe ? 'unsafe' : 'allowed') };
  }
}

/** What is stored of the first answer. */
function answered(effect: MadeEffect | null): Pick<StoredKey, 'externalId' | 'status'> {
  return { externalId: effect?.externalId ?? null, status: effect?.status ?? null };
}

function answerOf(status: EffectStatus, externalId: string): Outcome {
  if (status === 'succeeded') return { kind: 'confirmed', externalId, receipt: RECEIPT };
  if (status === 'pending') return { kind: 'accepted', externalId, replayed: false, receipt: RECEIPT };
  return rejected('all', externalId);
}

function rejected(covers: 'all' | 'attempt', externalId: string | null): Outcome {
  return { kind: 'rejected', covers, code: 'refused', message: 'No.', externalId, receipt: RECEIPT };
}

export function unknown(why: string, resend: 'allowed' | 'pointless' | 'unsafe' = 'allowed'): Outcome {
  return { kind: 'unknown', why, resend, receipt: RECEIPT };
}

export function notSubmitted(why: string): Outcome {
  return { kind: 'not-submitted', why, receipt: RECEIPT };
}

/**
 * What a query shows of the effects made before `until`: of one, if it asks for its number, else of all. In an account
 * that tenants share it tells them apart by their keys.
 */
export function looked(
  { tellsKeys }: Scenario,
  provider: ProviderWorld,
  until: number,
  { externalId: asked, keys }: Pick<FindCommand, 'externalId' | 'keys'>,
): Evidence {
  const effects = provider.effects
    .filter(({ at, owner, key }) => at <= until && (owner !== 'neighbour' || keys.includes(key)))
    .map((effect) => foundEffect(effect, tellsKeys));
  const one = effects.find(({ externalId }) => externalId === asked);
  if (one) return { kind: 'found', effects: [one], complete: false };
  return effects.length === 0 ? { kind: 'absent' } : { kind: 'found', effects, complete: true };
}

export function foundEffect({ externalId, status, key, owner }: MadeEffect, tellsKeys: boolean): FoundEffect {
  if (owner === 'stranger') return { externalId, status, key: null, mismatch: 'its amount is 5, not 10' };
  return { externalId, status, key: tellsKeys ? key : null, mismatch: null };
}
