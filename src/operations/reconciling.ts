import { canAsk, isShownAbsent } from './asking';
import { concernOf } from './concern';
import { endOf } from './end';
import type { Operation } from './fold';
import type { PerformSetup, PerformState } from './perform';
import { type Reply, replyFor } from './reply';
import { mayResend } from './resend';
import { stateAt } from './state';

/** What waits for its release is tried so often: with checks of an hour apart, a day and more. */
const RELEASE_TRIES = 30;

/** What the rules say reconciliation does now. */
export type ReconcileRuling =
  /** Nothing; nobody hears the reply. */
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'find'; readonly operation: Operation }
  | { readonly kind: 'mark'; readonly operation: Operation }
  /** Never sent, and nobody tries any more. */
  | { readonly kind: 'drop'; readonly operation: Operation; readonly why: string }
  /** Put before a person, with what is known. */
  | { readonly kind: 'escalate'; readonly operation: Operation; readonly reason: string };

/**
 * What reconciliation does with an operation now. The same engine as calls: it asks first, sends the same key and the
 * stored request where the rules allow it, and at the end puts the operation before a person.
 */
export function reconcileRuling(setup: PerformSetup, state: PerformState, operation: Operation): ReconcileRuling {
  const subject = { ...setup, callId: setup.call.callId, activityAttempt: setup.call.activityAttempt };
  const nothing = { kind: 'reply', reply: replyFor(operation, subject, state.now) } as const;
  const concern = concernOf(operation, state.events, state.now);
  switch (concern) {
    case 'nothing':
    case 'in-flight':
      return nothing;
    case 'left-behind':
      return isLeftBehind(setup, state)
        ? { kind: 'drop', operation, why: 'It was never sent, and nobody tries any more.' }
        : nothing;
    case 'release':
      if (state.paused || setup.mayAsk === false) return nothing;
      return operation.current.attempts.length < RELEASE_TRIES
        ? { kind: 'mark', operation }
        : { kind: 'drop', operation, why: `Given up after ${RELEASE_TRIES} attempts that did not leave.` };
    case 'find-out':
      return findOut(setup, state, operation) ?? nothing;
    case 'look-rarely':
    case 'last-look':
      return canAsk(setup, state, operation) ? { kind: 'find', operation } : nothing;
  }
}

/** Nothing happened for longer than any call that lives is silent. What comes after all registers it afresh. */
function isLeftBehind({ limits }: PerformSetup, { now, events }: PerformState): boolean {
  return events.every(({ at }) => now >= at + limits.leftBehindAfter);
}

function findOut(setup: PerformSetup, state: PerformState, operation: Operation): ReconcileRuling | null {
  if (canAsk(setup, state, operation)) return { kind: 'find', operation };
  const { contract, hasQuery } = setup;
  if (stateAt(operation, state.now) === 'unknown' && !state.paused && setup.mayAsk !== false) {
    const absent = !hasQuery || isShownAbsent(state.finding, operation);
    if (absent && mayResend(operation.current, contract, state.now).allowed) return { kind: 'mark', operation };
  }
  const end = endOf(operation, contract);
  return end !== null && state.now > end ? { kind: 'escalate', operation, reason: whyEscalated(operation) } : null;
}

/** With what is known. */
function whyEscalated({ state, reason, externalId, current }: Operation): string {
  if (state === 'accepted')
    return `${externalId} was taken by the provider and has not finished for longer than is normal.`;
  const attempts = `${current.attempts.length} ${current.attempts.length === 1 ? 'attempt' : 'attempts'}`;
  const last = reason === null ? 'No answer was recorded.' : `Last answer: ${reason}`;
  return `Nobody knows whether it took effect, and nothing automatic can find out any more: ${attempts}, and no look has shown it. ${last}`;
}
