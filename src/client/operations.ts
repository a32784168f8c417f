import type { Database } from '../ledger/database';
import { findOperations, type OperationFilter, type OperationPage } from '../ledger/find-operations';
import type { OperationRef } from '../ledger/ledger';
import { PostgresLedger } from '../ledger/postgres-ledger';
import { type OperationDetail, readOperation } from '../ledger/read-operation';
import { askDatabase } from './waiting';

/** Operations as the ledger has them at this moment. Reading asks no provider and changes nothing. */
export interface Operations {
  /** Newest first, a page at a time. Throws FilterInvalidError or DatabaseUnreachableError. */
  list(filter?: OperationFilter): Promise<OperationPage>;
  /** With its whole history; null for an operation nobody ever called for. Throws as `list` does. */
  get(ref: OperationRef): Promise<OperationDetail | null>;
}

export function operationsIn(parts: { readonly database: Database; readonly closing: AbortSignal }): Operations {
  return {
    list: (filter) => askDatabase(parts, (database) => findOperations(database, filter)),
    get: (ref) => askDatabase(parts, (database) => readOperation(new PostgresLedger(database), ref)),
  };
}
