import { isAbsent } from './absence';
import { assertNever } from './assert-never';
import { callTruthOf, isFenced } from './call-truth';
import type { Operation } from './fold';
import { verdictOf, wasSent } from './generation';
import type { Finding, PerformSetup, PerformState } from './perform';
import { mayOpenNext } from './plan';
import { type Reply, replyFor, replyWith } from './reply';
import { mayResend } from './resend';
import { stateAt } from './state';

/** What the rules say a call does now. */
export type Ruling =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Register this generation, then send it. */
  | { readonly kind: 'register'; readonly generation: number }
  /** Send the current generation's stored request. */
  | { readonly kind: 'mark' }
  | { readonly kind: 'find' }
  | { readonly kind: 'wait' };

/** The rules for one call and one operation, at the time of the last read. */
export function ruling(setup: PerformSetup, state: PerformState, operation: Operation | null): Ruling {
  if (operation === null) {
    if (setup.generation === 1 && setup.purpose === 'send') return { kind: 'register', generation: 1 };
    throw new Error(`Bug: no record of ${setup.operationId}, though generation ${setup.generation} was planned.`);
  }
  const subject = { ...setup, callId: setup.call.callId, activityAttempt: setup.call.activityAttempt };
  const truth: Ruling = { kind: 'reply', reply: replyFor(operation, subject, state.now) };
  if (setup.purpose === 'look') return canAsk(setup, state, operation) ? { kind: 'find' } : truth;

  const conflict: Ruling = { kind: 'reply', reply: replyWith('conflict', operation, subject) };
  if (operation.tool !== setup.tool || operation.provider !== setup.provider) return conflict;
  if (isFenced(callTruthOf(operation.calls, setup.call.callId), setup.call.activityAttempt)) return truth;

  const { current } = operation;
  if (setup.generation < current.number) return earlierGeneration(setup, operation) ?? truth;
  if (setup.generation > current.number + 1) {
    throw new Error(`Bug: ${setup.operationId} has ${current.number} generations, planned was ${setup.generation}.`);
  }
  if (setup.generation === current.number + 1) {
    return mayOpenNext(operation) ? { kind: 'register', generation: setup.generation } : truth;
  }
  if (operation.state === 'rejected') return truth;
  if (operation.state === 'dropped') return { kind: 'register', generation: current.number };
  if (current.registration?.intent !== setup.intent) return conflict;

  const now = stateAt(operation, state.now, setup.call);
  switch (now) {
    case 'registered':
      return { kind: 'mark' };
    case 'submitted':
      return state.waited < setup.limits.joinWithin ? { kind: 'wait' } : truth;
    case 'accepted':
      return canAsk(setup, state, operation) ? { kind: 'find' } : truth;
    case 'unknown':
      return unknownRuling(setup, state, operation) ?? truth;
    case 'confirmed':
    case 'rejected':
    case 'dropped':
    case 'escalated':
      return truth;
    default:
      return assertNever(now);
  }
}

/** Query first; the same key only on a complete empty answer, or where the provider cannot be asked (rule 8). */
function unknownRuling(setup: PerformSetup, state: PerformState, operation: Operation): Ruling | null {
  if (canAsk(setup, state, operation)) return { kind: 'find' };
  const absent = !setup.hasQuery || showsAbsence(state.finding, operation);
  if (!absent || !mayResend(operation.current, setup.contract, state.now).allowed) return null;
  return { kind: 'mark' };
}

/** A finding that is older than the last attempt says nothing about it. */
function showsAbsence(finding: Finding | null, { current }: Operation): boolean {
  if (finding === null || !isAbsent(current, finding.evidence)) return false;
  return current.attempts.every((attempt) => attempt.decidedAt <= finding.begunAt);
}

function canAsk(setup: PerformSetup, state: PerformState, operation: Operation): boolean {
  if (!setup.hasQuery || state.queried || operation.current.registration === null) return false;
  const now = stateAt(operation, state.now, setup.call);
  return now === 'unknown' || now === 'accepted';
}

/** A call planned before a later generation opened hears of the rejection it was planned for, while that is the truth. */
function earlierGeneration(setup: PerformSetup, operation: Operation): Ruling | null {
  if (operation.alarms.length > 0 || wasSent(operation.current)) return null;
  const own = operation.generations.find((generation) => generation.number === setup.generation);
  if (!own) return null;
  const verdict = verdictOf(own, operation.sightings);
  if (verdict.state !== 'rejected') return null;
  const { reason, externalId } = verdict;
  const then: Operation = { ...operation, state: 'rejected', reason, externalId, current: own };
  const subject = { ...setup, callId: setup.call.callId, activityAttempt: setup.call.activityAttempt };
  return { kind: 'reply', reply: replyWith('rejected', then, subject) };
}
