/** One conversation. */
export interface SessionRef {
  readonly tenant: string;
  readonly sessionId: string;
}

/** One run of the agent in a conversation, from 1. */
export interface TurnRef extends SessionRef {
  readonly turn: number;
}

/** One model call of a turn, from 1. */
export interface StepRef extends TurnRef {
  readonly step: number;
}

/** One tool call of a step, from 0 in the order of the model's answer. */
export interface CallPlace extends StepRef {
  readonly position: number;
}

/** Readable in Temporal's UI, one for each turn, and the name of what a turn told for ever. */
export function workflowIdOf({ tenant, sessionId, turn }: TurnRef): string {
  return `turn/${tenant}/${sessionId}/${turn}`;
}

/** Our ID of a call. The model's own (`toolu_…`) is an attribute only: some endpoints repeat theirs. */
export function callIdOf({ sessionId, turn, step, position }: CallPlace): string {
  return `${sessionId}/${turn}/${step}/${position}`;
}
