import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LanguageModelV4 } from '@ai-sdk/provider';

/** One request as it came over the wire. */
export interface ModelRequest {
  /** From 0. */
  readonly index: number;
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: unknown;
  /** Ends when the client has gone away before it was answered. */
  readonly abandoned: Promise<void>;
}

/** What the model says: words, calls, or both. `input` that is a text stands for arguments as the model wrote them. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly id?: string; readonly tool: string; readonly input?: unknown }[];
}

/** What an endpoint does that does not answer. */
export type Fault =
  | { readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** A 200 whose body is this. */
  | { readonly body: string }
  /** The connection breaks before the answer, or in the middle of it. */
  | { readonly cut: 'before' | 'within' };

/** Decides about one request. One that never ends is an endpoint that hangs. */
export type EndpointScript = (request: ModelRequest) => Said | Fault | Promise<Said | Fault>;

export interface ToolResult {
  readonly id: string;
  readonly text: unknown;
  /** Undefined where the wire has no such flag. */
  readonly isError: boolean | undefined;
}

/** One vendor's HTTP interface, as its documentation describes it. */
export interface Wire {
  readonly name: string;
  readonly path: string;
  readonly requestIdHeader: string;
  /** The real SDK's model, which talks to this base URL. */
  model(baseUrl: string, apiKey: string): LanguageModelV4;
  /** What its API refuses with 401 or 400; null for what it takes. */
  refusal(request: ModelRequest, apiKey: string): { readonly status: number; readonly message: string } | null;
  answer(said: Said, index: number): unknown;
  error(status: number, message: string, requestId: string): unknown;
  /** What the request shows of tools, results and the system prompt. */
  schemas(body: unknown): Readonly<Record<string, unknown>>;
  results(body: unknown): readonly ToolResult[];
  system(body: unknown): unknown;
}

export const API_KEY = 'sk-test-8c1f0e6b2d';

/** Starts endpoints, and closes them when the test is over. */
export function modelEndpoints(): { start(wire: Wire, script: EndpointScript): Promise<ModelEndpoint> } {
  const started: ModelEndpoint[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((endpoint) => endpoint.close()));
  });
  return {
    start: async (wire, script) => {
      const endpoint = await ModelEndpoint.start(wire, script);
      started.push(endpoint);
      return endpoint;
    },
  };
}

/** A model's endpoint on this machine: it records every request, and does what its script says. */
export class ModelEndpoint {
  readonly requests: ModelRequest[] = [];
  readonly model: LanguageModelV4;
  readonly wire: Wire;
  readonly url: string;
  readonly #server: Server;
  readonly #script: EndpointScript;

  private constructor(wire: Wire, script: EndpointScript, server: Server) {
    this.wire = wire;
    this.#script = script;
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}/v1`;
    this.model = wire.model(this.url, API_KEY);
    // A test that is over cuts the requests it left hanging: what then fails here is nobody's.
    server.on('request', (request, response) => void this.#serve(request, response).catch(() => response.destroy()));
  }

  static async start(wire: Wire, script: EndpointScript): Promise<ModelEndpoint> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ModelEndpoint(wire, script, server);
  }

  /** The ID that the endpoint gave its nth answer. */
  requestId(index: number): string {
    return `req_${this.wire.name}_${index}`;
  }

  /** What each request said as X-Client-Request-Id. */
  get clientRequestIds(): unknown[] {
    return this.requests.map(({ headers }) => headers['x-client-request-id']);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await this.#record(incoming, response);
    const move = this.#refusal(incoming, request) ?? (await this.#script(request));
    if ('cut' in move) return this.#cut(move.cut, response);
    if ('body' in move) return this.#send(request, response, 200, move.body);
    if (!('status' in move)) {
      return this.#send(request, response, 200, JSON.stringify(this.wire.answer(move, request.index)));
    }
    const { status, message = `This is a ${status}.`, headers } = { headers: {}, ...move };
    const error = this.wire.error(status, message, this.requestId(request.index));
    this.#send(request, response, status, JSON.stringify(error), headers);
  }

  #refusal({ method, url }: IncomingMessage, request: ModelRequest): Fault | null {
    if (method !== 'POST' || url !== this.wire.path) return { status: 404, message: `There is no ${method} ${url}.` };
    // Half a character goes over the wire as an escape, and only then.
    if (/\\ud[89a-f]/.test(JSON.stringify(request.body))) return { status: 400, message: 'no low surrogate in string' };
    return this.wire.refusal(request, API_KEY);
  }

  async #record(incoming: IncomingMessage, response: ServerResponse): Promise<ModelRequest> {
    const at = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    const abandoned = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const { headers } = incoming;
    const request = { index: this.requests.length, at, headers, raw, body: JSON.parse(raw) as unknown, abandoned };
    this.requests.push(request);
    return request;
  }

  #send(
    { index }: ModelRequest,
    response: ServerResponse,
    status: number,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    response.writeHead(status, {
      'content-type': 'application/json',
      [this.wire.requestIdHeader]: this.requestId(index),
      ...headers,
    });
    response.end(body);
  }

  #cut(where: 'before' | 'within', response: ServerResponse): void {
    if (where === 'before') {
      response.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"id": "msg_', () => response.destroy());
  }
}
