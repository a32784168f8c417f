import type { Reply } from '../operations/reply';

/** What the model answered, as it is shown to it again. */
export interface ModelAnswer {
  /** What it says to the customer; empty where it only calls tools. */
  readonly text: string;
  /** The assistant's messages in the AI SDK's form, with our IDs in the tool calls. */
  readonly messages: readonly unknown[];
  readonly calls: readonly ModelCall[];
}

/**
 * Which request brought a step's answer, for the support of the model's vendor. Never a key: a repeated activity sends
 * another one, and what counts is the answer that was stored first.
 */
export interface ModelRequestIds {
  /** Ours, what `X-Client-Request-Id` said: a new UUID each send. */
  readonly clientRequestId: string;
  /** The endpoint's own; null where its answer brought none. */
  readonly requestId: string | null;
}

/** One tool call as the model asked for it. */
export interface ModelCall {
  readonly position: number;
  readonly tool: string;
  /** The arguments as they came, parsed if they were JSON. */
  readonly input: unknown;
  /** Why the SDK could not read the call; null where it could. */
  readonly malformed: string | null;
  /** The model's own ID of the call. */
  readonly modelCallId: string;
}

/** What a call of the model became. Stored once: whatever repeats the step reads it back (rule 12). */
export type PlannedCall = RefusedCall | ReadCall | OperationCall;

interface PlannedBase {
  readonly position: number;
  readonly tool: string;
}

/** Refused before anything was registered; never scheduled. */
export interface RefusedCall extends PlannedBase {
  readonly kind: 'refused';
  readonly reply: Reply;
}

export interface ReadCall extends PlannedBase {
  readonly kind: 'read';
}

export interface OperationCall extends PlannedBase {
  readonly kind: 'operation';
  readonly operationId: string;
  /** Named here too, so that the call can be closed where its tool is not. */
  readonly provider: string;
  readonly generation: number;
  readonly intent: string;
}
