// The tool: one voucher for each complaint, whatever the model says and however often.
import { defineOperation, id, type OperationTool, RefusedError } from 'sendonce';
import { z } from 'zod';
import { vouchers } from './vouchers';

/** A complaint as the shop's own system has it. */
export interface Complaint {
  readonly number: string;
  readonly email: string;
  /** What the shop grants for it, in cents. */
  readonly granted: number;
}

export function issueVoucher(
  findComplaint: (number: string, customer: string) => Complaint | undefined,
  url: string,
): OperationTool {
  return defineOperation({
    name: 'issue_voucher',
    description: 'Send the customer the gift voucher that was granted for a complaint.',
    input: z.object({ complaint: z.string(), note: z.string().optional() }),
    resolve: (input, { customer }) => {
      const complaint = findComplaint(input.complaint.replace(/\D/g, ''), customer);
      if (!complaint) throw new RefusedError(`There is no complaint ${input.complaint}.`);
      return { complaint };
    },
    operationId: ({ complaint }) => id`voucher-${complaint.number}`,
    intent: ({ complaint }) => ({ granted: complaint.granted }),
    request: ({ complaint }) => ({ email: complaint.email, amount: complaint.granted, currency: 'eur' }),
    provider: vouchers(url),
  });
}
