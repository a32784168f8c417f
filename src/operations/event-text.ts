import { assertNever } from './assert-never';
import type { OperationEvent } from './event';
import type { Evidence } from './evidence';
import type { Outcome } from './outcome';

/** One event of an operation, in words. */
export function eventText(event: OperationEvent): string {
  switch (event.kind) {
    case 'registered':
      return `recorded with its request, key ${event.key}`;
    case 'marked':
      return `attempt ${event.attempt} marked: it leaves within ${(event.sendBy - event.decidedAt) / 1_000} s, or never`;
    case 'answered':
      return `attempt ${event.attempt}: ${outcomeText(event.outcome)}`;
    case 'evidence':
      return `${event.source}: ${evidenceText(event.evidence)}`;
    case 'closed':
      return `call ${event.call.callId} closed: ${event.why}`;
    case 'dropped':
      return `dropped: ${event.why}`;
    case 'escalated':
      return `put before a person: ${event.reason}`;
    case 'resolved':
      return `${event.by} says ${event.verdict.as}: ${event.note}`;
    default:
      return assertNever(event);
  }
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'confirmed':
      return `confirmed, ${outcome.externalId}`;
    case 'accepted':
      return `accepted, ${outcome.externalId}${outcome.replayed ? ' (a stored answer, to be read again)' : ''}`;
    case 'rejected':
      return `rejected, ${outcome.message}`;
    case 'not-submitted':
      return `not submitted, ${outcome.why}`;
    case 'unknown':
      return `unknown, ${outcome.why}`;
    default:
      return assertNever(outcome);
  }
}

function evidenceText(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'found':
      return `found ${evidence.effects.map(({ externalId, status }) => `${externalId} (${status})`).join(', ')}`;
    case 'absent':
      return 'complete, and nothing there';
    case 'inconclusive':
      return `inconclusive, ${evidence.why}`;
    default:
      return assertNever(evidence);
  }
}
