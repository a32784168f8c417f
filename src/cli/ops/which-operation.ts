import type { Database } from '../../ledger/database';
import type { OperationRef } from '../../ledger/ledger';
import { PostgresLedger } from '../../ledger/postgres-ledger';
import { type FoldedOperation, readOperation } from '../../ledger/read-operation';
import { tenantsOf } from '../../ledger/tenants-of';
import { CommandError } from '../command-error';

/** An operation as people name it. */
export interface NamedOperation {
  readonly operationId: string;
  /** Left out where only one tenant has the ID. */
  readonly tenant?: string;
}

/** How many tenants are named where one has to be chosen. */
const TENANTS_TOLD = 10;

/** Throws CommandError where there is no such operation, or more than one. */
export async function readNamed(
  database: Database,
  { operationId, tenant }: NamedOperation,
): Promise<{ readonly ref: OperationRef; readonly operation: FoldedOperation; readonly ledger: PostgresLedger }> {
  const ledger = new PostgresLedger(database);
  const ref = { operationId, tenant: tenant ?? (await onlyTenant(database, operationId)) };
  const operation = await readOperation(ledger, ref);
  if (operation === null) throw new CommandError(`The tenant ${tenant} has no operation ${operationId}.`);
  return { ref, operation, ledger };
}

async function onlyTenant(database: Database, operationId: string): Promise<string> {
  const [first, ...others] = await tenantsOf(database, operationId, TENANTS_TOLD + 1);
  if (first === undefined) throw new CommandError(`There is no operation ${operationId}.`);
  if (others.length === 0) return first;
  const told = [first, ...others].slice(0, TENANTS_TOLD).join(', ');
  const more = others.length < TENANTS_TOLD ? '' : ' and more';
  throw new CommandError(`Several tenants have an operation ${operationId}: ${told}${more}. Name one with --tenant.`);
}
