import { type Database, reaching } from '../ledger/database';
import { findOperations, type OperationFilter, type OperationPage } from '../ledger/find-operations';
import type { OperationRef } from '../ledger/ledger';
import { PostgresLedger } from '../ledger/postgres-ledger';
import { type OperationDetail, readOperation } from '../ledger/read-operation';

/** Operations as the ledger has them at this moment. Reading asks no provider and changes nothing. */
export interface Operations {
  /** Newest first, a page at a time. Throws FilterInvalidError or DatabaseUnreachableError. */
  list(filter?: OperationFilter): Promise<OperationPage>;
  /** With its whole history; null for an operation nobody ever called for. */
  get(ref: OperationRef): Promise<OperationDetail | null>;
}

export function operationsIn(database: Database): Operations {
  const ledger = new PostgresLedger(database);
  return {
    list: (filter) => reaching(database, () => findOperations(database, filter)),
    get: (ref) => reaching(database, () => readOperation(ledger, ref)),
  };
}
