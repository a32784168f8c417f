import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SendDeadline } from 'sendonce';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Post {
  readonly body: string;
  readonly key: string;
  readonly deadline: SendDeadline;
}

/** Exactly one try: a fresh connection, no redirect, no repetition. It throws where bytes left and no answer came. */
export function postOnce(url: URL, { body, key, deadline }: Post): Promise<Answer | 'not written'> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Idempotency-Key': key,
    };
    // Nothing is written before `end`, so whatever goes wrong until then has left nothing behind.
    const outgoing = httpRequest(url, { method: 'POST', agent: false, headers });
    let written = false;
    const timer = setTimeout(() => written || outgoing.destroy(new Error('no connection')), deadline.remainingMs());
    outgoing.once('socket', (socket) =>
      // With https it is `secureConnect`.
      socket.once('connect', () => {
        // Right before the bytes, with nothing awaited in between.
        if (deadline.remainingMs() <= 0) return outgoing.destroy(new Error('the deadline is over'));
        written = true;
        return outgoing.end(body);
      }),
    );
    outgoing.once('response', (answer: IncomingMessage) =>
      text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read }), reject),
    );
    outgoing.once('error', (error) => (written ? reject(error) : resolve('not written')));
    outgoing.once('close', () => clearTimeout(timer));
  });
}
