import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { Connections } from '../fake-stripe/connections';
import { ArmedTreatment } from './armed-treatment';
import type { DownstreamAddress, DownstreamFault, DownstreamRequest, FaultScope, Treatment } from './downstream';

/** Which requests are counted, and how their key is read. */
export interface FaultProxyOptions {
  isForEffect(request: Omit<DownstreamRequest, 'key'>): boolean;
  keyOf(request: Omit<DownstreamRequest, 'key'>): string | null;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** With its exact bytes, which a text may not hold. */
interface Arrived extends Omit<DownstreamRequest, 'key'> {
  readonly bytes: Buffer;
}

type Listener = (request: DownstreamRequest) => void | Promise<void>;

/** Longer than any check keeps an idle connection: a server that closes first races the next request. */
const KEEP_ALIVE_MS = 600_000;

/** About the connection itself, or written anew on the other side. */
const NOT_PASSED_ON = /^(connection|keep-alive|transfer-encoding|content-length|host|expect|upgrade|te|trailer)$/i;

/** Passes HTTP on to a target, and does to each request what it was told to. It knows nothing of what it passes on. */
export class FaultProxy {
  readonly requests: DownstreamRequest[] = [];
  readonly #target: URL;
  readonly #options: FaultProxyOptions;
  readonly #connections: Connections;
  readonly #listeners = new Set<Listener>();
  #treatments: ArmedTreatment[] = [];

  private constructor(target: URL, options: FaultProxyOptions) {
    this.#target = target;
    this.#options = options;
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
    this.#connections = new Connections(server, 0);
    server.on('request', (incoming, response) => {
      void buffer(incoming)
        .then((bytes) => this.#handle({ ...requestOf(incoming, bytes), bytes }, response))
        // The client is gone, or the target: there is nobody to answer, or nothing to say.
        .catch(() => response.req.socket.destroy());
    });
  }

  static async to(target: URL, options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, options);
    await proxy.accept();
    return proxy;
  }

  get address(): DownstreamAddress {
    const { host, port } = this.#connections;
    return { url: `http://${host}:${port}`, host, port, protocol: 'http' };
  }

  treatNext(fault: DownstreamFault, scope: FaultScope): Treatment {
    const armed = new ArmedTreatment(fault, scope);
    this.#treatments.push(armed);
    return armed;
  }

  calm(): void {
    for (const armed of this.#treatments) armed.drop();
    this.#treatments = [];
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  accept(): Promise<void> {
    return this.#connections.accept();
  }

  refuse(): Promise<void> {
    return this.#connections.refuse();
  }

  async #handle(arrived: Arrived, response: ServerResponse): Promise<void> {
    const { bytes: _, ...request } = arrived;
    const forEffect = this.#options.isForEffect(request);
    const armed = this.#treatments.find((one) => one.meets(forEffect ? 'effect' : 'question'));
    if (forEffect) {
      const counted = { ...request, key: this.#options.keyOf(request) };
      this.requests.push(counted);
      for (const listener of this.#listeners) await listener(counted);
    }
    await this.#treat(arrived, response, armed);
  }

  async #treat(request: Arrived, response: ServerResponse, armed: ArmedTreatment | undefined): Promise<void> {
    const fault = armed?.fault;
    if (fault?.kind === 'lose-request') return hangUp(response, fault.how);
    if (fault?.kind === 'hold-request' && (await armed?.hold()) === 'dropped') return hangUp(response);
    if (fault?.kind === 'repeat-request') await this.#passOn(request);
    if (fault?.kind === 'answer') return send(response, await this.#substitute(request, fault));
    const answer = await this.#passOn(request);
    if (fault?.kind === 'lose-answer') return hangUp(response, fault.how);
    if (fault?.kind === 'cut-answer') return sendHalf(response, answer);
    if (fault?.kind === 'hold-answer' && (await armed?.hold()) === 'dropped') return hangUp(response);
    send(response, answer);
  }

  async #substitute(request: Arrived, fault: DownstreamFault & { readonly kind: 'answer' }): Promise<Answer> {
    const own = fault.carriedOut || fault.status === null ? await this.#passOn(request) : null;
    const headers = { 'content-type': 'text/html', ...fault.headers };
    return { status: fault.status ?? own?.status ?? 200, headers, body: Buffer.from(fault.body) };
  }

  #passOn({ method, path, headers, bytes }: Arrived): Promise<Answer> {
    const url = new URL(`${this.#target.pathname.replace(/\/$/, '')}${path}`, this.#target);
    const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name)));
    const length = bytes.length > 0 || method === 'POST' ? { 'content-length': bytes.length } : {};
    return new Promise((resolve, reject) => {
      const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const outgoing = request(url, { method, agent: false, headers: { ...passed, ...length } }, (answer) => {
        buffer(answer).then((read) => {
          resolve({ status: answer.statusCode ?? 502, headers: kept(answer.headers), body: read });
        }, reject);
      });
      outgoing.once('error', reject);
      outgoing.end(bytes);
    });
  }
}

function requestOf(incoming: IncomingMessage, body: Buffer): Omit<DownstreamRequest, 'key'> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers, body: body.toString('utf8') };
}

function kept(headers: IncomingHttpHeaders): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || NOT_PASSED_ON.test(name) ? [] : [[name, value]],
    ),
  );
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed) return;
  writeHead(response, status, headers, body.length);
  response.end(body);
}

function sendHalf(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed) return;
  // Announced as longer than it is, so that also an empty answer comes out as cut.
  writeHead(response, status, headers, body.length + 1);
  response.flushHeaders();
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => hangUp(response));
}

function writeHead(response: ServerResponse, status: number, headers: Answer['headers'], length: number): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', length);
}

function hangUp(response: ServerResponse, how: 'close' | 'reset' = 'close'): void {
  const { socket } = response.req;
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroy();
}
