import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { collectBody } from './collect-body';
import { describeError } from './describe-error';

export interface TryRequest {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number | string[]>>;
  /** The body's exact text, sent as UTF-8; empty for none. */
  readonly body: string;
}

export interface TryLimits {
  /** Milliseconds left in which the first byte may leave. Asked before connecting and again right before the write. */
  readonly remainingMs: () => number;
  /** How long the complete answer is waited for, asked once the request is written. */
  readonly answerBoundMs: () => number;
  /** From this long after the write on, the open socket no longer keeps the process alive. */
  readonly holdsProcessMs: number;
  readonly maxAnswerBytes: number;
}

export type AnswerHeaders = Readonly<Record<string, string | string[]>>;

/** How one try ended, told by what this side did and not by which error came last (docs/providers/stripe.md). */
export type TryResult =
  /** No byte of the request was handed to the socket. */
  | { readonly kind: 'not-written'; readonly why: string }
  /** The whole answer was read. It may still be anybody's. */
  | { readonly kind: 'answered'; readonly status: number; readonly headers: AnswerHeaders; readonly body: string }
  /** Bytes may have left, and no complete answer came. The head of the answer is kept if it came. */
  | { readonly kind: 'lost'; readonly why: string; readonly status: number | null; readonly headers: AnswerHeaders };

/** Node's timers turn anything longer into one millisecond. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** A peer that vanished without a word ends the try after about this long and ten probes, instead of at the bound. */
const TCP_KEEP_ALIVE_MS = 30_000;

/**
 * One HTTP request on a fresh connection: never pooled (a reused socket that the server is closing gives a reset that
 * may or may not have been processed: nodejs/node#47130), never redirected, never sent again. Resolves in every case.
 *
 * The request is held back until the connection stands (`connect`, with TLS `secureConnect`), because an error code or
 * `bytesWritten` cannot tell afterwards whether it had been. So whatever ends the try before that is
 * `not-written` whichever error it is, and whatever ends it later is `lost`.
 */
export function singleTry(request: TryRequest, limits: TryLimits): Promise<TryResult> {
  const remaining = remainingMs(limits);
  if (!(remaining > 0)) {
    return Promise.resolve({
      kind: 'not-written',
      why: 'The deadline had passed before the connection was opened.',
    });
  }
  let outgoing: ClientRequest;
  try {
    outgoing = open(request);
  } catch (error) {
    // A header or path that cannot be written (ERR_INVALID_CHAR): thrown before anything is opened.
    return Promise.resolve({ kind: 'not-written', why: `The request cannot be written: ${describeError(error)}.` });
  }
  return carryOut(outgoing, request, limits, remaining);
}

function open({ protocol, host, port, method, path, headers, body }: TryRequest): ClientRequest {
  const secure = protocol === 'https';
  const agent = secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const sent: Record<string, string | number | string[]> = { ...headers };
  for (const name of Object.keys(sent)) {
    if (/^(content-length|transfer-encoding|connection|expect)$/i.test(name)) delete sent[name];
  }
  if (body !== '') sent['Content-Length'] = Buffer.byteLength(body);
  return (secure ? httpsRequest : httpRequest)({ host, port, method, path, agent, headers: sent });
}

function carryOut(
  outgoing: ClientRequest,
  request: TryRequest,
  limits: TryLimits,
  connectWithinMs: number,
): Promise<TryResult> {
  return new Promise((resolve) => {
    let ended = false;
    let written = false;
    let answer: IncomingMessage | null = null;
    let timer = after(connectWithinMs, () => fail('The connection did not stand before the deadline'));
    let release: NodeJS.Timeout | undefined;

    const end = (result: TryResult) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      clearTimeout(release);
      outgoing.destroy();
      resolve(result);
    };
    const fail = (why: string) => {
      if (!written) return end({ kind: 'not-written', why: `${why}; nothing was written.` });
      const status = answer?.statusCode ?? null;
      end({ kind: 'lost', why: `${why}, after the request was written.`, status, headers: headersOf(answer) });
    };

    const write = (socket: Socket) => {
      if (ended || written) return;
      // No pause may come between this check and the write: `end` below hands the bytes to the kernel before it returns
      // (tried with a loop that was blocked right after it, plain and with TLS 1.2 and 1.3).
      if (!(remainingMs(limits) > 0)) return fail('The deadline had passed when the connection stood');
      written = true;
      clearTimeout(timer);
      const bound = limits.answerBoundMs();
      timer = after(bound, () => fail(`No complete answer came within ${Math.round(bound)} ms`));
      release = after(limits.holdsProcessMs, () => {
        socket.unref();
        timer.unref();
      });
      release.unref();
      try {
        outgoing.end(request.body === '' ? undefined : Buffer.from(request.body, 'utf8'));
      } catch (error) {
        fail(`The write failed (${describeError(error)})`);
      }
    };

    outgoing.on('error', (error) => fail(`The connection failed (${describeError(error)})`));
    // Where the head of an answer came, the answer's own events tell how it ended.
    outgoing.on('close', () => answer === null && fail('The connection closed without an answer'));
    outgoing.on('upgrade', (_answer, socket) => {
      socket.destroy();
      fail('The server switched protocols');
    });
    outgoing.on('response', (message) => {
      answer = message;
      collectBody(message, limits.maxAnswerBytes).then(
        (body) => {
          // Nothing is judged that was answered before the request had left; nothing of ours can be in it.
          if (!written) return fail('The server answered before it was asked');
          end({ kind: 'answered', status: message.statusCode ?? 0, headers: headersOf(message), body });
        },
        (error) => fail(`The answer could not be read (${describeError(error)})`),
      );
    });
    outgoing.once('socket', (socket) => {
      socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
      if (request.protocol === 'http' && !socket.connecting) return write(socket);
      socket.once(request.protocol === 'https' ? 'secureConnect' : 'connect', () => write(socket));
    });
  });
}

/** The time left as a timer takes it. */
export function timerMs(limits: TryLimits): number {
  return clamp(remainingMs(limits));
}

/** A deadline that cannot be read has passed. */
function remainingMs(limits: TryLimits): number {
  try {
    return limits.remainingMs();
  } catch {
    return 0;
  }
}

function after(ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(act, clamp(ms));
}

function clamp(ms: number): number {
  return Math.min(Math.max(0, ms), LONGEST_TIMER_MS);
}

function headersOf(message: IncomingMessage | null): AnswerHeaders {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(message?.headers ?? {})) {
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
