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
}

export interface PromisedOperation extends Pick<RunOperation, 'id' | 'key' | 'state' | 'generation' | 'attempts'> {
  /** How the attempts ended, of all generations, in the order they were recorded. More answers than attempts: late ones. */
  readonly answers: readonly Outcome['kind'][];
  readonly resolvedBy: Operation['resolvedBy'];
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
