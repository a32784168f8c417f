import { z } from 'zod';
import { id } from '../src/operations/operation-id';
import { defineOperation } from '../src/tools/define-operation';
import { defineTool } from '../src/tools/define-tool';
import type { OperationTool, ReadTool } from '../src/tools/tool';
import type { BareRows } from './bare-rows';
import { type Downstream, payouts } from './downstream';

export const PayoutInput = z.object({ to: z.string(), amount: z.int(), reason: z.string() });
export type PayoutInput = z.output<typeof PayoutInput>;

export const DESCRIPTION = 'Pay out once to one payee, an amount in cents.';

/** Names of one length, so that both turns weigh the same. */
export const GUARDED = 'pay_out_guarded';
export const PLAIN = 'pay_out_plainly';

/** The tool as sendonce has it. */
export function guardedPayout(downstream: Downstream): OperationTool {
  return defineOperation({
    name: GUARDED,
    description: DESCRIPTION,
    input: PayoutInput,
    resolve: ({ to, amount }) => ({ to, amount }),
    operationId: ({ to }) => id`payout-${to}`,
    request: ({ to, amount }) => ({ to, amount }),
    provider: payouts(downstream),
  });
}

/** The tool as commonly written, with a row before the call and its outcome after it. */
export async function payOutPlainly(
  downstream: Downstream,
  bare: BareRows,
  callId: string,
  input: PayoutInput,
): Promise<string> {
  await bare.insert(`${input.to}/${callId}`, JSON.stringify(input));
  const externalId = downstream.pay(input);
  await bare.update(`${input.to}/${callId}`, JSON.stringify({ externalId }));
  return `Done: payout-${input.to} is carried out (${externalId}).`;
}

/** That tool in a turn of ours: a plain activity that the toolkit does not guard. */
export function plainPayout(downstream: Downstream, bare: BareRows): ReadTool {
  return defineTool({
    name: PLAIN,
    description: DESCRIPTION,
    input: PayoutInput,
    run: (input, { callId }) => payOutPlainly(downstream, bare, callId, input),
  });
}
