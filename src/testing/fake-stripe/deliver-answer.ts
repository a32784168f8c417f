import type { ServerResponse } from 'node:http';
import type { Answer } from './answer';
import type { ApiRequest } from './api-request';
import type { Hangup } from './fault';

/** Sends the whole answer. False where the connection ended before the last byte was handed over. */
export async function sendAnswer(response: ServerResponse, request: ApiRequest, answer: Answer): Promise<boolean> {
  if (isGone(response)) return false;
  writeHead(response, request, answer, Buffer.byteLength(answer.body));
  return new Promise((resolve) => {
    response.once('finish', () => resolve(true));
    response.once('close', () => resolve(false));
    response.end(answer.body);
  });
}

/** Announces the whole body, sends half of it, and destroys the connection. */
export async function sendCutAnswer(
  response: ServerResponse,
  request: ApiRequest,
  answer: Answer,
  how: Hangup,
): Promise<void> {
  if (isGone(response)) return;
  const body = Buffer.from(answer.body);
  writeHead(response, request, answer, body.length);
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => resolve());
  });
  hangUp(response, how);
}

export function hangUp(response: ServerResponse, how: Hangup): void {
  // The request's socket: a response that waits behind another one of its connection has none yet.
  const { socket } = response.req;
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroy();
}

function isGone(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/** The request's own headers come back as Stripe sends them; what the answer itself names goes before them. */
function writeHead(response: ServerResponse, request: ApiRequest, answer: Answer, length: number): void {
  response.statusCode = answer.status;
  response.setHeader('Request-Id', request.requestId);
  response.setHeader('Content-Length', length);
  if (request.key !== null) response.setHeader('Idempotency-Key', request.key);
  if (request.version !== null) response.setHeader('Stripe-Version', request.version);
  if (request.account !== '') response.setHeader('Stripe-Account', request.account);
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
}
