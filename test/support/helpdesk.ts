import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What happens to the next request to make a ticket. */
export type HelpdeskFault = 'lose-request' | 'lose-answer' | 'refuse' | 'turn-away';

/** The helpdesk of docs/writing-a-provider.md: it dedupes by key, and counts what it made. */
export interface Helpdesk {
  readonly url: string;
  /** Tickets, by their marks. */
  readonly tickets: readonly { readonly id: string; readonly op_id: string; readonly op_key: string }[];
  /** Keys of the requests that arrived, in order. */
  readonly posts: readonly (string | undefined)[];
  fail(fault: HelpdeskFault): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function startHelpdesk(): Promise<Helpdesk> {
  const tickets: { id: string; op_id: string; op_key: string }[] = [];
  const posts: (string | undefined)[] = [];
  const stored = new Map<string, Answer>();
  const faults: HelpdeskFault[] = [];

  const make = (key: string, body: string, fault: HelpdeskFault | undefined): Answer => {
    const known = stored.get(key);
    if (known) return known;
    const ticket = { id: `ticket_${tickets.length + 1}`, ...(JSON.parse(body) as { op_id: string; op_key: string }) };
    const answer =
      fault === 'refuse' ? { status: 422, body: 'The customer is blocked.' } : { status: 201, body: ticket };
    if (answer.status === 201) tickets.push(ticket);
    stored.set(key, answer);
    return answer;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { searchParams } = new URL(request.url ?? '', 'http://helpdesk');
    if (request.method === 'GET') {
      return end(response, { status: 200, body: tickets.filter(({ op_id }) => op_id === searchParams.get('op_id')) });
    }
    const body = await text(request);
    const key = request.headers['idempotency-key'] as string | undefined;
    posts.push(key);
    const fault = faults.shift();
    if (fault === 'lose-request') return response.destroy();
    if (fault === 'turn-away') return end(response, { status: 429, body: '' });
    const answer = make(key ?? '', body, fault);
    return fault === 'lose-answer' ? response.destroy() : end(response, answer);
  };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tickets,
    posts,
    fail: (fault) => faults.push(fault),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function end(response: ServerResponse, { status, body }: Answer) {
  return response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
