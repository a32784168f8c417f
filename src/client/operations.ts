import type { Database } from '../ledger/database';
import { findOperations, type OperationFilter, type OperationPage } from '../ledger/find-operations';
import type { OperationRef } from '../ledger/ledger';
import { PostgresLedger } from '../ledger/postgres-ledger';
import { type OperationDetail, readOperation } from '../ledger/read-operation';
import { resolveOperation } from '../ledger/resolve-operation';
import type { PersonVerdict } from '../operations/event';
import type { Instant } from '../operations/time';
import { askDatabase } from './waiting';

/** What a person says of an operation, and what that rests on. */
export interface OperationResolution {
  /** Who says so, and why: both are kept with the operation and shown. */
  readonly by: string;
  readonly note: string;
  /** The version that was before the person: evidence after it refuses their word. */
  readonly version: number;
  /** `allowResend`: whether a call that is planned later may do it after all, as the next generation. */
  readonly verdict: PersonVerdict;
  /** When the person began to look at the provider, by the ledger's clock. Only read with `hasQuery: false`. */
  readonly lookedAt?: Instant;
  /** False where the tool's provider has no `find`: then the person's own look counts. True unless given. */
  readonly hasQuery?: boolean;
}

/** Operations as the ledger has them at this moment. Nothing here asks a provider or sends anything. */
export interface Operations {
  /** Newest first, a page at a time. Throws FilterInvalidError or DatabaseUnreachableError. */
  list(filter?: OperationFilter): Promise<OperationPage>;
  /** With its whole history; null for an operation nobody ever called for. Throws as `list` does. */
  get(ref: OperationRef): Promise<OperationDetail | null>;
  /**
   * Records a person's word and gives the operation after it. Throws ResolutionRefusedError, which shows newer evidence
   * and changes nothing; ClientClosedError or DatabaseUnreachableError where it may be recorded: saying it again shows it.
   */
  resolve(ref: OperationRef, resolution: OperationResolution): Promise<OperationDetail>;
}

export function operationsIn(parts: { readonly database: Database; readonly closing: AbortSignal }): Operations {
  return {
    list: (filter) => askDatabase(parts, (database) => findOperations(database, filter)),
    get: (ref) => askDatabase(parts, (database) => readOperation(new PostgresLedger(database), ref)),
    resolve: (ref, { by, note, version, verdict, lookedAt = null, hasQuery = true }) =>
      askDatabase(parts, (database) => {
        const resolution = { by, note, sawVersion: version, verdict, lookedAt };
        return resolveOperation(new PostgresLedger(database), ref, resolution, hasQuery);
      }),
  };
}
