import { canAsk, isShownAbsent } from './asking';
import { callTruthOf, isOver, isSuperseded } from './call-truth';
import type { Operation } from './fold';
import type { PerformSetup, PerformState } from './perform';
import { mayOpenNext } from './plan';
import { type ReconcileRuling, reconcileRuling } from './reconciling';
import { type Reply, replyFor, replyWith } from './reply';
import { mayResend } from './resend';
import { stateAt } from './state';

/** What the rules say a call does now. */
export type Ruling =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** It is told that nothing was sent for it, so it is fenced first: another attempt of it may be about to send. */
  | { readonly kind: 'refuse'; readonly reply: Reply }
  /** Register this generation, then send it. */
  | { readonly kind: 'register'; readonly generation: number }
  /** Send the current generation's stored request. */
  | { readonly kind: 'mark'; readonly operation: Operation }
  | { readonly kind: 'find'; readonly operation: Operation }
  | { readonly kind: 'wait' }
  /** As many attempts of this call as may did not leave. */
  | { readonly kind: 'give-up'; readonly operation: Operation }
  /** Something is paused: it is registered, or stays so, and is sent by reconciliation after the resume. */
  | { readonly kind: 'hold'; readonly operation: Operation }
  | ReconcileRuling
  /** A newer activity attempt of this call goes on, and this one has nothing to say. */
  | { readonly kind: 'superseded' };

/** The rules for one call and one operation, at the time of the last read. */
export function ruling(setup: PerformSetup, state: PerformState, operation: Operation | null): Ruling {
  if (operation === null) {
    if (setup.generation === 1 && setup.purpose === 'send') return { kind: 'register', generation: 1 };
    throw new Error(`Bug: no record of ${setup.operationId}, though generation ${setup.generation} was planned.`);
  }
  if (setup.purpose === 'reconcile') return reconcileRuling(setup, state, operation);
  const subject = { ...setup, callId: setup.call.callId, activityAttempt: setup.call.activityAttempt };
  const truth = { kind: 'reply', reply: replyFor(operation, subject, state.now) } as const;
  if (setup.purpose !== 'send') return canAsk(setup, state, operation) ? { kind: 'find', operation } : truth;

  const own = callTruthOf(operation.calls, setup.call.callId);
  if (isSuperseded(own, setup.call.activityAttempt)) return { kind: 'superseded' };
  if (isConflict(setup, operation)) return { kind: 'refuse', reply: replyWith('conflict', operation, subject) };
  if (isOver(own)) return truth;

  const { current } = operation;
  if (setup.generation < current.number) return truth;
  if (setup.generation > current.number + 1) {
    throw new Error(`Bug: ${setup.operationId} has ${current.number} generations, planned was ${setup.generation}.`);
  }
  if (setup.generation === current.number + 1) {
    if (mayOpenNext(operation)) return { kind: 'register', generation: setup.generation };
    // A person may give their leave later; a call that was told "rejected" sends nothing then.
    return operation.state === 'rejected' ? { kind: 'refuse', reply: truth.reply } : truth;
  }
  const now = stateAt(operation, state.now, setup.call);
  const spent = whyNothingLeft(setup, operation).length >= setup.limits.notSubmittedAttempts;
  switch (now) {
    case 'dropped':
      return spent ? { kind: 'give-up', operation } : { kind: 'register', generation: current.number };
    case 'registered':
      if (state.paused) return current.waitsFor === null ? { kind: 'hold', operation } : truth;
      return spent ? { kind: 'give-up', operation } : { kind: 'mark', operation };
    case 'submitted':
      return state.waited < setup.limits.joinWithin ? { kind: 'wait' } : truth;
    case 'accepted':
      return canAsk(setup, state, operation) ? { kind: 'find', operation } : truth;
    case 'unknown':
      return spent ? { kind: 'give-up', operation } : (unknownRuling(setup, state, operation) ?? truth);
    case 'confirmed':
    case 'rejected':
    case 'escalated':
      return truth;
  }
}

/** Another tool's operation, or other content than this generation was registered with. */
function isConflict(setup: PerformSetup, { tool, provider, state, current }: Operation): boolean {
  if (tool !== setup.tool || provider !== setup.provider) return true;
  if (setup.generation !== current.number || state === 'rejected' || state === 'dropped') return false;
  return current.registration !== null && current.registration.intent !== setup.intent;
}

/** For each attempt of this call that provably did not leave: why. */
export function whyNothingLeft({ call, generation }: PerformSetup, { generations }: Operation): string[] {
  const attempts = generations.filter(({ number }) => number === generation).flatMap((own) => own.attempts);
  return attempts.flatMap(({ call: { callId }, outcome }) =>
    callId === call.callId && outcome?.kind === 'not-submitted' ? [outcome.why] : [],
  );
}

/** Query first; the same key only on a complete empty answer, or where the provider cannot be asked (rule 8). */
function unknownRuling(setup: PerformSetup, state: PerformState, operation: Operation): Ruling | null {
  if (canAsk(setup, state, operation)) return { kind: 'find', operation };
  if (state.paused) return null;
  const absent = !setup.hasQuery || isShownAbsent(state.finding, operation);
  if (!absent || !mayResend(operation.current, setup.contract, state.now).allowed) return null;
  return { kind: 'mark', operation };
}
