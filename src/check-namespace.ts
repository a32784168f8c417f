import type { ConnectionLike } from '@temporalio/client';
import { NamespaceMissingError } from './namespace-missing-error';
import type { TemporalSettings } from './settings';

/** gRPC's number for it. */
const NOT_FOUND = 5;

/**
 * Asks the server for the namespace: of what comes later, each says in other words that it is not there, and a worker
 * in those of its core. Throws NamespaceMissingError; what else goes wrong is left to the call that needs an answer.
 */
export async function checkNamespace(
  { workflowService }: Pick<ConnectionLike, 'workflowService'>,
  { namespace, connection }: TemporalSettings,
): Promise<void> {
  try {
    await workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (isNotFound(error)) throw new NamespaceMissingError(namespace, connection.address, error);
  }
}

function isNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === NOT_FOUND;
}
