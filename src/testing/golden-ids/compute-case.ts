import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../../tools/caller';
import { parseInput } from '../../tools/parse-input';
import type { OperationPlan, OperationTool } from '../../tools/tool';
import type { GoldenRow } from './golden-table';

/** Who a case acts for. Session and call are left out: an operation ID must not depend on them. */
export type GoldenCaller = Pick<Caller, 'tenant' | 'customer'>;

/** What the model could write in a call of the tool. */
export interface GoldenCase {
  /** As JSON: what cannot be written as JSON cannot come from a model. */
  readonly input: unknown;
  /** Without it, the caller that stands for all cases. */
  readonly caller?: GoldenCaller;
}

/** A case as the tool's formula answers it now. */
export type ComputedCase = Omit<GoldenRow, 'operationId' | 'intent'> &
  (
    | { readonly kind: 'computed'; readonly operationId: string; readonly intent: string }
    /** The tool refuses it, or fails. */
    | { readonly kind: 'refused'; readonly why: string }
    /** Two calls for one case gave two answers. */
    | { readonly kind: 'unsteady'; readonly answers: readonly [string, string] }
  );

/** Two calls of two sessions, as a customer who asks again would make them. */
const CALLS = ['golden-1', 'golden-2'] as const;

/** A clock in milliseconds shows two times within this. */
const APART_MS = 3;

/**
 * Asks the tool itself, as a call does: its input's schema, `resolve`, `operationId` and `intent`. Nothing is
 * registered, and `request` is not computed.
 */
export async function computeCase(
  tool: OperationTool,
  { input: given, caller }: Required<GoldenCase>,
): Promise<ComputedCase> {
  const input: unknown = JSON.parse(JSON.stringify(given ?? null));
  const asked = { tenant: caller.tenant, customer: caller.customer, input };
  try {
    const one = await plan(tool, input, caller, CALLS[0]);
    await setTimeout(APART_MS);
    const other = await plan(tool, input, caller, CALLS[1]);
    const answers = [answerText(one), answerText(other)] as const;
    if (answers[0] !== answers[1]) return { ...asked, kind: 'unsteady', answers };
    return { ...asked, kind: 'computed', operationId: one.operationId, intent: one.intent };
  } catch (error) {
    return { ...asked, kind: 'refused', why: messageOf(error) };
  }
}

async function plan(
  tool: OperationTool,
  input: unknown,
  { tenant, customer }: GoldenCaller,
  sessionId: string,
): Promise<OperationPlan> {
  const parsed = await parseInput(tool, input);
  if (parsed.kind === 'invalid') throw new TypeError(parsed.message);
  return tool.plan(parsed.input, { tenant, customer, sessionId, callId: `${sessionId}/1/1/0` });
}

function answerText({ operationId, intent }: OperationPlan): string {
  return `${operationId} with the intent ${intent}`;
}

/** By its field: in a test runner an error may be of another realm. */
function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(message);
}
