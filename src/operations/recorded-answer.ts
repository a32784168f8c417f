import type { AnsweredEvent, Recorded } from './event';

/** Whether the history has this answer: a save may have been written although its confirmation was lost. */
export function isRecorded(answer: AnsweredEvent, events: readonly Recorded[]): boolean {
  return events.some((event) => event.kind === 'answered' && content(event) === content(answer));
}

function content({ generation, attempt, outcome }: AnsweredEvent): string {
  return JSON.stringify([generation, attempt, outcome]);
}
