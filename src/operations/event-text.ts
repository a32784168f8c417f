import { assertNever } from './assert-never';
import type { AnsweredEvent, PersonVerdict, Recorded, WaitingEvent } from './event';
import type { Evidence, FoundEffect } from './evidence';
import type { Outcome } from './outcome';

/** One event of an operation, in words. `history`: all of its events. */
export function eventText(event: Recorded, history: readonly Recorded[]): string {
  switch (event.kind) {
    case 'registered':
      return `recorded with its request${generationText(event)}, key ${event.key}`;
    case 'waiting':
      return waitingText(event);
    case 'told':
      return `the conversation ${event.call.sessionId} was told that it will hear of it`;
    case 'marked':
      return `attempt ${event.attempt}${generationText(event)} marked: it leaves within ${(event.sendBy - event.decidedAt) / 1_000} s, or never`;
    case 'answered':
      return `${isLate(event, history) ? 'late answer of ' : ''}attempt ${event.attempt}${generationText(event)}: ${outcomeText(event.outcome)}`;
    case 'evidence':
      return `${event.source}: ${evidenceText(event.evidence, history)}`;
    case 'closed':
      return `call ${event.call.callId} closed: ${firstSentence(event.why)}`;
    case 'dropped':
      return `dropped: ${event.why}`;
    case 'escalated':
      return `put before a person: ${event.reason}`;
    case 'resolved':
      return `${event.by} says ${verdictText(event.verdict)}: ${event.note}`;
    default:
      return assertNever(event);
  }
}

function waitingText({ waitsFor, redo }: WaitingEvent): string {
  if (redo !== undefined) return `${redo.by} wants ${redo.of} done once more: ${redo.note}`;
  return waitsFor === 'resume'
    ? 'waits, unsent, for what is paused to be resumed'
    : 'waits, unsent, for reconciliation';
}

function verdictText(verdict: PersonVerdict): string {
  if (verdict.as === 'confirmed') return `confirmed, ${verdict.externalId}`;
  return verdict.allowResend ? 'rejected, and that it may be sent again' : 'rejected';
}

/** Most operations have one generation, and nothing is told of it. */
function generationText({ generation }: Pick<AnsweredEvent, 'generation'>): string {
  return generation === 1 ? '' : ` of generation ${generation}`;
}

/** Whether the attempt had been answered, or given up waiting for, before. */
function isLate({ seq, generation, attempt }: Recorded<AnsweredEvent>, history: readonly Recorded[]): boolean {
  return history.some(
    (other) =>
      other.kind === 'answered' && other.generation === generation && other.attempt === attempt && other.seq < seq,
  );
}

/** A refused call is closed with all that it was told, which the story tells anyway. */
function firstSentence(text: string): string {
  return /^.*?\.(?=\s)/.exec(text)?.[0] ?? text;
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

function evidenceText(evidence: Evidence, history: readonly Recorded[]): string {
  switch (evidence.kind) {
    case 'found':
      return `found ${evidence.effects.map((effect) => effectText(effect, history)).join(', ')}`;
    case 'absent':
      return 'complete, and nothing there';
    case 'inconclusive':
      return `inconclusive, ${evidence.why}`;
    default:
      return assertNever(evidence);
  }
}

/** Why an effect that bears the operation's ID is not taken for its own stands beside it. */
function effectText({ externalId, status, key, mismatch }: FoundEffect, history: readonly Recorded[]): string {
  const isForeign = key !== null && !history.some((event) => event.kind === 'registered' && event.key === key);
  const odd = [
    ...(isForeign ? [`made under key ${key}, which is not ours`] : []),
    ...(mismatch === null ? [] : [mismatch]),
  ];
  return `${externalId} (${[status, ...odd].join('; ')})`;
}
