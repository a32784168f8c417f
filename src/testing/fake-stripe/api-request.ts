import type { IncomingMessage } from 'node:http';
import { newId } from './new-id';

/** One request of the API as it came. Nothing of it has been checked. */
export interface ApiRequest {
  /** Given by the fake, and sent back as `Request-Id`. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** False where the connection ended inside the body. */
  readonly whole: boolean;
  readonly authorization: string | null;
  readonly contentType: string | null;
  readonly account: string;
  readonly version: string | null;
  readonly key: string | null;
}

export async function readApiRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const { body, whole } = await readBody(incoming);
  const url = incoming.url ?? '/';
  const at = url.indexOf('?');
  const header = (name: string): string | null => {
    const value = incoming.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    requestId: newId('req'),
    method: incoming.method ?? 'GET',
    path: at < 0 ? url : url.slice(0, at),
    query: at < 0 ? '' : url.slice(at + 1),
    body,
    whole,
    authorization: header('authorization'),
    contentType: header('content-type'),
    account: header('stripe-account') ?? '',
    version: header('stripe-version'),
    key: header('idempotency-key'),
  };
}

/** Resolves also where the body was cut off: with what came of it. */
export async function readBody(incoming: IncomingMessage): Promise<{ body: string; whole: boolean }> {
  const chunks: Buffer[] = [];
  let whole = true;
  try {
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  } catch {
    whole = false;
  }
  return { body: Buffer.concat(chunks).toString('utf8'), whole };
}
