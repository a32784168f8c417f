import { callLimits } from '../activities/call-limits';
import { LateAnswers } from '../activities/late-answers';
import { look, toolOf } from '../activities/look';
import type { Database } from '../ledger/database';
import type { OperationRef } from '../ledger/ledger';
import { PostgresLedger } from '../ledger/postgres-ledger';
import { withLooks } from '../ledger/read-looks';
import { type FoldedOperation, type OperationDetail, readOperation } from '../ledger/read-operation';
import type { Recorded } from '../operations/event';
import type { OperationTool, Tool } from '../tools/tool';

/** What a check gave. */
export type OperationCheck =
  | {
      readonly kind: 'checked';
      readonly before: OperationDetail;
      readonly after: OperationDetail;
      /** What was recorded meanwhile; empty where the provider told nothing new. */
      readonly news: readonly Recorded[];
    }
  /** The provider was not asked. `why` says what to do. */
  | { readonly kind: 'not-asked'; readonly why: string };

/** No call asks: to this reader every attempt within its bounds is in flight. */
const NOBODYS_CALL = { callId: '', activityAttempt: 0, sessionId: '', customer: '' };

/**
 * Asks the provider what became of an operation, in whatever state it is, and records what it tells. Sends nothing.
 * Needs the ledger and no Temporal.
 */
export async function checkOperation(
  database: Database,
  ref: OperationRef,
  tools: readonly Tool[],
): Promise<OperationCheck> {
  const ledger = new PostgresLedger(database);
  const folded = await readOperation(ledger, ref);
  if (folded === null) return notAsked(`There is no operation ${ref.operationId}.`);
  const before = await withLooks(database, folded);
  const { tool: name, provider, generation, key, version } = before;
  const tool = toolOf(tools, before);
  if (tool === null) return notAsked(whyNoTool(before));
  if (!canBeAsked(tool)) {
    return notAsked(
      `The provider ${provider} of ${name} cannot be asked: look there yourself, and say what you found.`,
    );
  }
  if (key === null) return notAsked('It was never registered, so there is nothing to look for.');
  const limits = callLimits();
  // Nothing is sent, so no answer can come late.
  const lateAnswers = new LateAnswers(ledger, () => undefined);
  await look({ ...ref, purpose: 'check', tool, generation, call: NOBODYS_CALL }, { ledger, lateAnswers, limits });
  const found = await readOperation(ledger, ref);
  if (found === null) throw new Error(`Bug: ${ref.operationId} is gone after a look.`);
  const after = await withLooks(database, found);
  return { kind: 'checked', before, after, news: after.events.filter(({ seq }) => seq > version) };
}

/** Whether the operation's provider can be asked; null where none of the tools made it. */
export function providerCanBeAsked(tools: readonly Tool[], operation: FoldedOperation): boolean | null {
  const tool = toolOf(tools, operation);
  return tool === null ? null : canBeAsked(tool);
}

export function whyNoTool({
  tool,
  provider,
  operationId,
}: Pick<FoldedOperation, 'tool' | 'provider' | 'operationId'>): string {
  return `None of the tools made ${operationId}: it is of ${tool} with the provider ${provider}. Name the file that has it.`;
}

function canBeAsked({ provider }: OperationTool): boolean {
  return provider.find !== undefined;
}

function notAsked(why: string): OperationCheck {
  return { kind: 'not-asked', why };
}
