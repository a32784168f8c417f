import type { Operation } from './fold';

/**
 * The generation that a call made now is for (rule 12): the current one, or the next after a certain rejection. Decided
 * once, when the call is planned; whatever repeats the call keeps it.
 */
export function plannedGeneration(operation: Operation | null): number {
  if (operation === null) return 1;
  return mayOpenNext(operation) ? operation.current.number + 1 : operation.current.number;
}

/** A rejection opens the next generation; a person's only with their leave to resend. */
export function mayOpenNext(operation: Operation): boolean {
  if (operation.state !== 'rejected') return false;
  const { person, current } = operation;
  if (person === null || person.generation !== current.number) return true;
  return person.verdict.as === 'rejected' && person.verdict.allowResend;
}
