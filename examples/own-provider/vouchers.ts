// The provider: what the service promises, and how one request is written, sent and looked for. No SDK is involved.
import {
  type Evidence,
  type FindQuery,
  type FoundEffect,
  hours,
  minutes,
  type Outcome,
  type Provider,
  type Receipt,
  seconds,
} from 'sendonce';
import { z } from 'zod';
import { type Answer, postOnce } from './post-once';

export interface VoucherRequest {
  readonly email: string;
  /** In cents. */
  readonly amount: number;
  readonly currency: string;
}

const VOUCHER = z.object({
  id: z.string().min(1),
  email: z.string(),
  amount: z.number(),
  currency: z.string(),
  reference: z.string(),
});
type Voucher = z.infer<typeof VOUCHER>;

const PAGE = z.object({ vouchers: z.array(VOUCHER), next: z.number().nullable() });
const STORED = VOUCHER.omit({ id: true });
const REFUSAL = z.object({ error: z.literal('amount_invalid') });

export function vouchers(url: string): Provider<VoucherRequest> {
  return {
    name: 'vouchers',
    sharedAccount: false,
    contract: {
      key: { window: hours(24), margin: minutes(30), maxLength: 200, replays: 'every-answer' },
      absence: 'inconclusive',
      sendWithin: seconds(10),
      deliverWithin: minutes(15),
      answerWithin: seconds(30),
      acceptedFor: hours(1),
      escalateAfter: hours(24),
    },
    encode: ({ email, amount, currency }, { operationId }) => ({
      account: '',
      path: 'POST /vouchers',
      version: '1',
      body: JSON.stringify({ email, amount, currency, reference: operationId }),
    }),
    send: async ({ request, key, deadline }) => {
      const answer = await postOnce(new URL('/vouchers', url), { body: request.body, key, deadline });
      return answer === 'not written'
        ? { kind: 'not-submitted', why: answer, receipt: receiptOf(null, answer) }
        : outcomeOf(answer, STORED.parse(JSON.parse(request.body)));
    },
    find: (query) => findVoucher(url, query),
  };
}

/** The one table. What it does not list is unknown. */
function outcomeOf({ status, body }: Answer, asked: Omit<Voucher, 'id'>): Outcome {
  const receipt = receiptOf(status, body);
  const given = parse(body);
  const voucher = VOUCHER.safeParse(given).data;
  if (status === 201 && voucher && mismatchOf(voucher, asked) === null) {
    return { kind: 'confirmed', externalId: voucher.id, receipt };
  }
  if (status === 422 && REFUSAL.safeParse(given).success) {
    const message = 'The amount must be above zero.';
    return { kind: 'rejected', covers: 'attempt', code: 'amount_invalid', message, externalId: null, receipt };
  }
  return { kind: 'unknown', why: `HTTP ${status}`, resend: 'allowed', receipt };
}

/** All pages, or it throws: that is inconclusive. */
async function findVoucher(url: string, { operationId, keys, request }: FindQuery): Promise<Evidence> {
  const asked = STORED.parse(JSON.parse(request.body));
  const effects: FoundEffect[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const answer: Response = await fetch(
      new URL(`/vouchers?email=${encodeURIComponent(asked.email)}&from=${from}`, url),
    );
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
    const page = PAGE.parse(await answer.json());
    for (const voucher of page.vouchers) {
      if (voucher.reference !== operationId) continue;
      const [key = null] = keys.length === 1 ? keys : [];
      effects.push({ externalId: voucher.id, status: 'succeeded', key, mismatch: mismatchOf(voucher, asked) });
    }
    from = page.next;
  }
  return effects.length === 0 ? { kind: 'absent' } : { kind: 'found', effects, complete: true };
}

function mismatchOf(voucher: Voucher, asked: Omit<Voucher, 'id'>): string | null {
  for (const part of ['reference', 'email', 'amount', 'currency'] as const) {
    if (voucher[part] !== asked[part]) return `its ${part} is ${voucher[part]}, not ${asked[part]}`;
  }
  return null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function receiptOf(httpStatus: number | null, detail: string): Receipt {
  return { requestId: null, httpStatus, detail: detail.slice(0, 2_000) };
}
