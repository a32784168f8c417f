import { assertNever } from './assert-never';
import { type Attempt, laterOutcome } from './attempt';
import type { Recorded } from './event';
import type { Generation } from './generation';

/** The generations in the order of their numbers. */
export function foldGenerations(events: readonly Recorded[]): Generation[] {
  const generations = new Map<number, Generation>();
  for (const event of events) {
    const before = generations.get(event.generation) ?? emptyGeneration(event.generation);
    generations.set(event.generation, withEvent(before, event));
  }
  return [...generations.values()].sort((a, b) => a.number - b.number);
}

function emptyGeneration(number: number): Generation {
  return {
    number,
    registration: null,
    attempts: [],
    waitsFor: null,
    dropped: null,
    neverAccepted: null,
    escalated: null,
  };
}

function withEvent(generation: Generation, event: Recorded): Generation {
  switch (event.kind) {
    case 'registered': {
      // The first registration wins, unless it was dropped: a request that was never sent may be replaced.
      if (generation.registration !== null && generation.dropped === null) return generation;
      const { key, intent, request, call, seq } = event;
      const registration = { key, intent, request, callId: call.callId, seq };
      return { ...generation, registration, waitsFor: null, dropped: null };
    }
    case 'marked': {
      if (generation.attempts.some((attempt) => attempt.number === event.attempt)) return generation;
      const { attempt: number, call, seq: markedSeq, decidedAt, sendBy, arriveBy, answerBy } = event;
      const attempt: Attempt = { number, call, markedSeq, decidedAt, sendBy, arriveBy, answerBy, outcome: null };
      // Marked after it was put before a person, so nothing had left by then after all: what is unknown now began here.
      return { ...generation, attempts: [...generation.attempts, attempt], escalated: null };
    }
    case 'answered':
      return {
        ...generation,
        attempts: generation.attempts.map((attempt) =>
          attempt.number === event.attempt
            ? { ...attempt, outcome: laterOutcome(attempt.outcome, event.outcome) }
            : attempt,
        ),
      };
    case 'evidence':
      return event.final && generation.neverAccepted === null
        ? { ...generation, neverAccepted: event.source }
        : generation;
    case 'waiting':
      return { ...generation, waitsFor: event.waitsFor };
    case 'dropped':
      return { ...generation, waitsFor: null, dropped: event.why };
    case 'escalated':
      return { ...generation, escalated: generation.escalated ?? event.reason };
    case 'told':
    case 'closed':
    case 'resolved':
      return generation;
    default:
      // Never passed over: it may forbid what this release would do.
      return assertNever(kindOf(event));
  }
}

/** The kind alone: the rest may be a customer's request, and errors stand in logs and histories. */
function kindOf(event: never): never {
  return (event as Recorded).kind as never;
}
