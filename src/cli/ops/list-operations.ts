import { findOperations, type OperationFilter, type OperationSummary } from '../../ledger/find-operations';
import { print, textWidth } from '../print';
import { table } from '../table';
import { isoTime, operationJson } from './operation-json';
import { withLedger } from './with-ledger';

/** `sendonce ops list`. Throws FilterInvalidError. */
export async function listOperations({ json, ...filter }: OperationFilter & { readonly json?: true }): Promise<void> {
  const { operations, next } = await withLedger((database) => findOperations(database, filter));
  if (json) return print(JSON.stringify({ operations: operations.map(operationJson), next }));
  if (operations.length === 0) return print('There are no such operations.');
  print(table(['STATE', 'REGISTERED, UTC', 'TENANT', 'OPERATION'], operations.map(row), textWidth()));
  if (next !== null) print(`\nThere are more. The next page: --after ${next}`);
}

function row({ state, createdAt, tenant, operationId }: OperationSummary): readonly string[] {
  return [state, isoTime(createdAt).slice(0, 16).replace('T', ' '), tenant, operationId];
}
