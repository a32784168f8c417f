// A fake of the vendor's service: gift vouchers over plain HTTP. It heeds `Idempotency-Key` for every answer that it
// carried out, and lists what bears a reference, twenty on a page. In your project it is the vendor's sandbox, or a fake
// like this one.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export const PAGE_SIZE = 20;

export interface Voucher {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly email: string;
  readonly reference: string;
}

export interface VoucherService {
  readonly url: string;
  readonly vouchers: readonly Voucher[];
  close(): Promise<void>;
}

export async function startVoucherService(): Promise<VoucherService> {
  const vouchers: Voucher[] = [];
  const answers = new Map<string, { readonly request: string; readonly voucher: Voucher }>();

  const issue = async (incoming: IncomingMessage, response: ServerResponse) => {
    const asked = (await json(incoming)) as Omit<Voucher, 'id'>;
    const key = String(incoming.headers['idempotency-key'] ?? '');
    const request = JSON.stringify(asked);
    const known = answers.get(key);
    if (known) {
      if (known.request === request) return answer(response, 201, known.voucher);
      return answer(response, 422, { error: 'key_reused' });
    }
    if (!(asked.amount > 0)) return answer(response, 422, { error: 'amount_invalid' });
    const voucher = { id: `v_${vouchers.length + 1}`, ...asked };
    vouchers.push(voucher);
    answers.set(key, { request, voucher });
    answer(response, 201, voucher);
  };

  const list = (url: URL, response: ServerResponse) => {
    const matching = vouchers.filter(({ email }) => email === url.searchParams.get('email'));
    const from = Number(url.searchParams.get('from') ?? 0);
    const page = matching.slice(from, from + PAGE_SIZE);
    answer(response, 200, { vouchers: page, next: from + PAGE_SIZE < matching.length ? from + PAGE_SIZE : null });
  };

  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://vouchers');
    if (incoming.method === 'POST') void issue(incoming, response);
    else list(url, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    vouchers,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
