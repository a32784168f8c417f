import { toolOf } from '../activities/look';
import type { Ledger, OperationRef } from '../ledger/ledger';
import { detailOf, type FoldedOperation } from '../ledger/read-operation';
import type { ResolvedEvent } from '../operations/event';
import { fold } from '../operations/fold';
import { keyMaxLength, keyOf, keyPrefix } from '../operations/key';
import { checkOperationId } from '../operations/operation-id';
import { judgeRedo, type Redo, redoEvents, redoOf } from '../operations/redo';
import { RefusedError } from '../operations/refused-error';
import type { StoredRequest } from '../operations/request';
import { whyUnsigned } from '../operations/signature';
import type { OperationTool, Tool } from '../tools/tool';
import { whyNoTool } from './check-operation';
import { RedoRefusedError } from './redo-refused-error';

/** What a redo came to. */
export interface RedoEnd<Operation = FoldedOperation> {
  /** The new operation. */
  readonly operation: Operation;
  /** False where the same redo had registered it before: nothing is done twice. */
  readonly isNew: boolean;
}

/**
 * Registers the operation's stored request once more, under an ID of its own, in the name of a person. It sends nothing:
 * reconciliation does. Throws RedoRefusedError or FilterInvalidError; nothing is registered then.
 */
export async function redoOperation(
  ledger: Ledger,
  ref: OperationRef,
  redo: Redo,
  tools: readonly Tool[],
): Promise<RedoEnd> {
  const { tenant, operationId } = ref;
  const refuse = (why: string) => new RedoRefusedError(operationId, redo.id, why);
  const unsigned = typeof redo.id === 'string' ? whyUnsigned(redo) : 'Name the new operation: its ID is a text.';
  if (unsigned !== null) throw refuse(unsigned);
  const news = { tenant, operationId: redo.id };
  for (;;) {
    const there = await ledger.load(news);
    const known = detailOf(news, there);
    if (known !== null) {
      if (redoOf(there.events)?.of === operationId) return { operation: known, isNew: false };
      throw refuse(`There is an operation ${redo.id} already. Give the new one an ID of its own.`);
    }
    const { now, events } = await ledger.load(ref);
    const answer = judgeRedo(fold(events), events, redo, now);
    if (answer.kind === 'refused') throw refuse(answer.why);
    const { original, end } = answer;
    const tool = toolOf(tools, original);
    if (tool === null) throw refuse(whyNoTool({ ...original, operationId }));
    const request = remarked(original.request, redo, { tenant, tool, refuse });
    if (end !== null && !(await isEnded(ledger, ref, events, end))) continue;
    const first = redoEvents(operationId, original, redo, request);
    if ((await ledger.save({ ...news, before: [], events: first })) === null) continue;
    const operation = detailOf(news, await ledger.load(news));
    if (operation === null) throw new Error(`Bug: ${redo.id} is gone after it was registered.`);
    return { operation, isNew: true };
  }
}

/** Somebody who wrote first may have sent it again: then it is judged anew. */
async function isEnded(
  ledger: Ledger,
  ref: OperationRef,
  before: Parameters<Ledger['save']>[0]['before'],
  end: ResolvedEvent,
): Promise<boolean> {
  return (await ledger.save({ ...ref, before, events: [end] })) !== null;
}

interface Remarking {
  readonly tenant: string;
  readonly tool: OperationTool;
  readonly refuse: (why: string) => RedoRefusedError;
}

function remarked(
  request: StoredRequest,
  { id }: Redo,
  { tenant, tool: { provider }, refuse }: Remarking,
): { readonly key: string; readonly request: StoredRequest } {
  if (provider.remark === undefined) {
    throw refuse(
      `The provider ${provider.name} cannot put a stored request under another ID: it has no "remark". Have it done by a ` +
        'call with a business request of its own.',
    );
  }
  const prefix = keyPrefix(tenant, provider.sharedAccount);
  const key = keyOf(id, 1, prefix);
  try {
    checkOperationId(id, prefix, keyMaxLength(provider.contract));
    return { key, request: provider.remark(request, { operationId: id, key }) };
  } catch (error) {
    throw error instanceof RefusedError ? refuse(error.message) : error;
  }
}
