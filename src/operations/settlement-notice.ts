import type { Operation } from './fold';

/**
 * What became of an operation, for a customer who was to hear of it; null where it is not settled, or no more. Plain
 * words that they can be told as they are: where no model finds better ones, they are.
 */
export function settlementNotice(operation: Operation, operationId: string): string | null {
  const { tool, externalId, state } = operation;
  const what = `${tool}, operation ${operationId}`;
  switch (state) {
    case 'confirmed':
      return `This is done: ${what}${externalId === null ? '' : `, number ${externalId}`}.`;
    case 'rejected':
      return `This was refused and had no effect: ${what}.${reasonOf(operation)}`;
    case 'dropped':
      return `This was not carried out, and nothing was sent: ${what}.${reasonOf(operation)}`;
    case 'registered':
    case 'submitted':
    case 'accepted':
    case 'unknown':
    case 'escalated':
      return null;
  }
}

/** A person's note is for their colleagues. */
function reasonOf({ reason, resolvedBy }: Operation): string {
  return reason === null || resolvedBy === 'person' ? '' : ` Reason: ${reason}`;
}
