import { redoOperation as redo } from '../../client/redo-operation';
import { RedoRefusedError } from '../../client/redo-refused-error';
import { withLooks } from '../../ledger/read-looks';
import type { FoldedOperation } from '../../ledger/read-operation';
import { CommandError } from '../command-error';
import { print, printLast } from '../print';
import { loadWorkerModule } from '../worker-module';
import { operationDetailJson } from './operation-json';
import { type NamedOperation, readNamed } from './which-operation';
import { withLedger } from './with-ledger';

export interface RedoOptions extends NamedOperation {
  readonly newId: string;
  readonly by: string;
  readonly note: string;
  readonly tools: string;
  readonly json?: true;
}

/** `sendonce ops redo`. Throws CommandError where it is refused. */
export async function redoOperation({ newId: id, by, note, tools: file, json, ...named }: RedoOptions): Promise<never> {
  const { tools } = await loadWorkerModule(file);
  const { operation, isNew, replaced } = await withLedger(async (database) => {
    const { ref, ledger, operation: original } = await readNamed(database, named);
    try {
      const end = await redo(ledger, ref, { id, by, note }, tools);
      const replaced = original.state === 'rejected' ? original.operationId : null;
      return { ...end, operation: await withLooks(database, end.operation), replaced };
    } catch (error) {
      if (!(error instanceof RedoRefusedError)) throw error;
      if (json) print(JSON.stringify({ refused: error.message }));
      throw new CommandError(`${error.message}${nextStep(original)}`);
    }
  });
  if (json) return printLast(JSON.stringify({ ...operationDetailJson(operation), isNew }));
  const { state, tenant } = operation;
  const instead = replaced === null ? '' : ` in the place of ${replaced}, which ended`;
  return printLast(
    isNew
      ? `${id} is registered${instead}. Reconciliation sends it; see sendonce ops show ${id} --tenant ${tenant}.`
      : `${id} was registered for this already, and is ${state}. Nothing is done twice.`,
  );
}

/** What helps an original that has not come to its end. */
function nextStep({ state, operationId, tenant }: FoldedOperation): string {
  const named = `${operationId} --tenant ${tenant}`;
  switch (state) {
    case 'submitted':
    case 'accepted':
    case 'unknown':
      return ` Run sendonce ops check ${named} --tools FILE.`;
    case 'escalated':
      return ` See sendonce ops show ${named}, then sendonce ops resolve.`;
    default:
      return '';
  }
}
