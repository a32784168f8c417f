import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { type Database, reaching } from '../ledger/database';
import { TemporalUnreachableError } from '../temporal-unreachable-error';
import { ClientClosedError } from './client-errors';

/** gRPC's numbers for a server that gave no answer in time, or none at all. */
const UNREACHABLE_STATUSES: readonly number[] = [4, 14];

/** What Temporal's client throws, as what it means to somebody who wants to know about a turn. */
export function meaningOf(error: unknown, server: string, closing: AbortSignal): unknown {
  if (closing.aborted) return new ClientClosedError(error);
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause) && UNREACHABLE_STATUSES.includes(cause.code)) {
    return new TemporalUnreachableError(server, cause);
  }
  return error;
}

/** Runs `use` on the client's database. Throws ClientClosedError where the client is closed, and DatabaseUnreachableError. */
export async function askDatabase<T>(
  { database, closing }: { readonly database: Database; readonly closing: AbortSignal },
  use: (database: Database) => Promise<T>,
): Promise<T> {
  if (closing.aborted) throw new ClientClosedError();
  try {
    return await reaching(database, () => use(database));
  } catch (error) {
    throw closing.aborted ? new ClientClosedError(error) : error;
  }
}

/** The longest wait a timer of Node's can keep: 24 days. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws RangeError for what no timer could keep. */
export function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined) return;
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
    throw new RangeError(
      `timeoutMs must be a number of milliseconds above zero and below 24 days, not ${String(timeoutMs)}.`,
    );
  }
}
