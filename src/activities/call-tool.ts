import { CancelledFailure, Context } from '@temporalio/activity';
import type { OperationCall } from '../conversations/plan';
import type { CallPlace } from '../conversations/refs';
import { saveResult } from '../conversations/steps';
import type { PerformSetup } from '../operations/perform';
import { RefusedError } from '../operations/refused-error';
import { type Reply, refusedRead } from '../operations/reply';
import type { Caller } from '../tools/caller';
import { parseInput } from '../tools/parse-input';
import type { OperationTool, ReadTool, Standing, Tool } from '../tools/tool';
import { notSubmitted } from './activity-errors';
import type { CallToolResult } from './activity-inputs';
import type { ActivityContext } from './context';
import { perform } from './perform';
import { type StoredCall, storedCall } from './planned-call';
import { prepareRequest } from './prepare-request';
import { readReply } from './read-reply';
import { toolSetup } from './tool-setup';

/** One tool call. What the model will read is stored; the history gets its code and numbers. */
export async function callTool(context: ActivityContext, tool: Tool, place: CallPlace): Promise<CallToolResult> {
  const call = await storedCall(context.database, place);
  const { reply, told = reply } =
    tool.kind === 'read' ? await read(tool, call) : { reply: await operate(context, tool, call) };
  const { code, operationId, externalId } = await saveResult(context.database, place, reply, told);
  return { code, operationId, externalId };
}

interface ReadResult {
  readonly reply: Reply;
  /** Whose standing that is, where the tool tells one. */
  readonly told?: Standing;
}

async function read(tool: ReadTool, { input, caller }: StoredCall): Promise<ReadResult> {
  const parsed = await parseInput(tool, input);
  if (parsed.kind === 'invalid') return { reply: refusedRead(parsed.message) };
  try {
    const output = await tool.run(parsed.input, caller);
    return { reply: readReply(output), ...(tool.standingIn ? { told: tool.standingIn(output) } : {}) };
  } catch (error) {
    if (error instanceof RefusedError) return { reply: refusedRead(error.message) };
    throw error;
  }
}

async function operate(
  context: ActivityContext,
  tool: OperationTool,
  { planned, input, caller }: StoredCall,
): Promise<Reply> {
  if (planned.kind !== 'operation') throw new Error(`Bug: ${caller.callId} was planned as a read.`);
  const end = await perform(performSetup(context, tool, planned, caller), {
    tenant: caller.tenant,
    ledger: context.ledger,
    provider: tool.provider,
    lateAnswers: context.lateAnswers,
    prepare: (key) => prepareRequest(tool, { operationId: planned.operationId, key, input, caller }),
    checkCancelled,
  });
  if (end.kind === 'retry') throw notSubmitted(end.why);
  return end.reply;
}

export function performSetup(
  { limits }: ActivityContext,
  tool: OperationTool,
  { operationId, generation, intent }: Pick<OperationCall, 'operationId' | 'generation' | 'intent'>,
  { tenant, sessionId, customer, callId }: Caller,
): PerformSetup {
  return {
    ...toolSetup(tool, tenant),
    operationId,
    purpose: 'send',
    generation,
    intent,
    call: { callId, sessionId, customer, activityAttempt: Context.current().info.attempt },
    limits,
  };
}

/** Cancelled by its workflow or cut off by a worker that stops: before a mark, both may end the execution. */
function checkCancelled(): void {
  const { cancellationSignal } = Context.current();
  if (cancellationSignal.aborted) {
    throw cancellationSignal.reason instanceof Error ? cancellationSignal.reason : new CancelledFailure('Cancelled');
  }
}
