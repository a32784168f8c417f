import type { Operation } from './fold';
import { verdictOf } from './generation';

/**
 * The operation as a call of an earlier generation hears of it: the rejection that ended its own generation, until a
 * later one was sent (rule 12). Null where the operation's current truth is told.
 */
export function asOfEarlier(operation: Operation, generation: number): Operation | null {
  if (operation.state !== 'registered' && operation.state !== 'dropped') return null;
  const own = operation.generations.find(({ number }) => number === generation);
  if (!own || own === operation.current) return null;
  const verdict = verdictOf(own, operation.sightings);
  // A later generation opens after a rejection only: where the answers do not tell it, a person did.
  const { reason, externalId } =
    verdict.state === 'rejected' ? verdict : { reason: 'A person found that it had no effect.', externalId: null };
  return { ...operation, state: 'rejected', reason, externalId, current: own };
}
