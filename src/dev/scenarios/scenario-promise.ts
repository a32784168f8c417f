import type { Operation } from '../../operations/fold';
import type { Outcome } from '../../operations/outcome';
import type { ReplyCode } from '../../operations/reply';
import type { RunOperation } from './run-result';

/** What must come out of a scenario, whatever happens in it. */
export interface ScenarioPromise {
  /** Refunds made at the provider. */
  readonly effects: number;
  /** Requests to make one that reached it. */
  readonly sends: number;
  /** All operations of the run, in the order they were first asked for. */
  readonly operations: (orderId: string) => readonly PromisedOperation[];
  /** What the refund tools answer, step by step of the model; two calls of one step in alphabetical order. */
  readonly codes: readonly (readonly ReplyCode[])[];
  /** Settlements that conversations were told after their turns; none unless given. */
  readonly followUps?: number;
  /** Operations put before a person; none unless given. */
  readonly escalations?: number;
  /** Refunds that their operations know by number; all that were made unless given. */
  readonly known?: number;
  /** Whether customers were told of these, and of no other; they were unless given. */
  readonly told?: false;
}

export interface PromisedOperation extends Pick<RunOperation, 'id' | 'key' | 'state' | 'generation' | 'attempts'> {
  /** How the attempts ended, of all generations, in the order they were recorded. More answers than attempts: late ones. */
  readonly answers: readonly Outcome['kind'][];
  readonly resolvedBy: Operation['resolvedBy'];
  /** What its reason says; anything unless given. */
  readonly reason?: RegExp;
}

/** An operation that one send settled. What is otherwise is named. */
export function confirmed(id: string, otherwise: Partial<PromisedOperation> = {}): PromisedOperation {
  return {
    id,
    key: id,
    state: 'confirmed',
    generation: 1,
    attempts: 1,
    answers: ['confirmed'],
    resolvedBy: 'answer',
    ...otherwise,
  };
}

/** What the tool as commonly written makes of the scenario; or, in a sentence, why that cannot be played with it. */
export type NaivePromise = { readonly effects: number } | { readonly unplayable: string };
