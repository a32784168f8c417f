// Needs local ports and the `openssl` command: every fault is provoked on a real socket.
import { execFileSync, spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import Stripe from 'stripe';
import type { Outcome } from '../../src/operations/outcome';
import { milliseconds } from '../../src/operations/time';
import type { SendDeadline } from '../../src/providers/provider';
import { stripeRefunds } from '../../src/providers/stripe';

const MARK = { operationId: 'refund-1043-li_2', key: 'refund-1043-li_2' };
const REQUEST = { paymentIntent: 'pi_1043', amount: 1200, currency: 'eur' };
const REFUND = JSON.stringify({
  ...{ id: 're_7f3a', object: 'refund', amount: 1200, currency: 'eur', payment_intent: 'pi_1043', status: 'succeeded' },
  metadata: { op_id: MARK.operationId, op_key: MARK.key, op_currency: 'eur' },
});
const ANSWER = `HTTP/1.1 200 OK\r\nRequest-Id: req_1\r\nContent-Length: ${REFUND.length}\r\n\r\n${REFUND}`;

/** Long enough for what must happen, and the resend of the SDK would come within it (0.5 s). */
const LONG_MS = 5_000;
const RESEND_MS = 900;

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

interface Target {
  readonly port: number;
  readonly host?: string;
  readonly protocol?: 'http' | 'https';
  readonly key?: string;
  readonly boundMs?: number;
  readonly deadline?: SendDeadline;
}

async function send({ port, host = '127.0.0.1', protocol = 'http', key, boundMs, deadline }: Target): Promise<Outcome> {
  const within =
    boundMs === undefined ? {} : { deliverWithin: milliseconds(boundMs / 2), answerWithin: milliseconds(boundMs / 2) };
  const provider = stripeRefunds({
    connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }),
    contract: within,
  });
  const request = provider.encode(REQUEST, MARK);
  const changed =
    key === undefined ? request : { ...request, body: request.body.replaceAll(MARK.key, encodeURIComponent(key)) };
  const mark = key === undefined ? MARK : { operationId: key, key };
  return provider.send({ ...mark, request: changed, deadline: deadline ?? ending(LONG_MS) });
}

function ending(ms: number): SendDeadline {
  const end = performance.now() + ms;
  return { remainingMs: () => end - performance.now() };
}

/** A TCP server that counts connections and bytes. */
async function serve(onConnection: (socket: Socket, seen: () => string) => void) {
  const seen = { connections: 0, text: '' };
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    seen.connections += 1;
    sockets.add(socket);
    let own = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      own += chunk.toString('latin1');
      seen.text += chunk.toString('latin1');
    });
    onConnection(socket, () => own);
  });
  const port = await listening(server);
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port, seen };
}

function serveAfterRequest(then: (socket: Socket) => void) {
  return serve((socket, seen) => {
    socket.on('data', () => /op_currency]=eur$/.test(seen()) && then(socket));
  });
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
}

describe('before the connection stands → not-submitted', () => {
  test('connection refused', async () => {
    const outcome = await send({ port: await closedPort() });
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('ECONNREFUSED') });
  });

  test('the name does not resolve', async () => {
    const outcome = await send({ port: 443, host: 'nowhere.invalid' });
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
  });

  test('two addresses, both refused', async () => {
    resolvesTo('127.0.0.1', '127.0.0.2');
    const outcome = await send({ port: await closedPort(), host: 'two.test' });
    expect(outcome).toMatchObject({
      kind: 'not-submitted',
      why: expect.stringMatching(/127\.0\.0\.1.* and .*127\.0\.0\.2/),
    });
  });

  test('a self-signed certificate', async () => {
    const { port, seen } = await serveTls();
    const outcome = await send({ port, host: 'localhost', protocol: 'https' });
    expect(outcome).toMatchObject({
      kind: 'not-submitted',
      why: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
    expect(seen.text).toBe('');
  });

  test('the certificate of another host', async () => {
    const { port, seen } = await serveTls({ trusted: true });
    const outcome = await send({ port, host: '127.0.0.1', protocol: 'https' });
    expect(outcome).toMatchObject({
      kind: 'not-submitted',
      why: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
    expect(seen.text).toBe('');
  });

  test('a server that speaks no TLS', async () => {
    const { port } = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await send({ port, protocol: 'https' })).toMatchObject({ kind: 'not-submitted' });
  });

  test('reset while connecting (in the TLS handshake), and no second try', async () => {
    const { port, seen } = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const outcome = await send({ port, protocol: 'https' });
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('ECONNRESET') });
    await sleep(RESEND_MS);
    expect(seen.connections).toBe(1);
  });

  test('a TLS handshake that never ends, bounded by the deadline', async () => {
    const { port } = await serve(() => {});
    const started = performance.now();
    const outcome = await send({ port, protocol: 'https', deadline: ending(300) });
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('did not stand') });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('a TCP connect that never completes, bounded by the deadline', async () => {
    const port = await fullBacklog();
    const started = performance.now();
    const outcome = await send({ port, deadline: ending(300) });
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('did not stand') });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('a key that no header can carry', async () => {
    const { port, seen } = await serve(() => {});
    const outcome = await send({ port, key: 'refund-\n-1' });
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('ERR_INVALID_CHAR') });
    expect(seen.connections).toBe(0);
  });
});

describe('the deadline', () => {
  test('passed before connecting → not-submitted, no connection', async () => {
    const { port, seen } = await serve(() => {});
    const outcome = await send({ port, deadline: { remainingMs: () => 0 } });
    await sleep(50);
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('deadline had passed') });
    expect(seen.connections).toBe(0);
  });

  test('passed when the connection stands → not-submitted, 0 bytes written', async () => {
    const { port, seen } = await serveAfterRequest((socket) => socket.end(ANSWER));
    const outcome = await send({ port, deadline: passedWhenConnected() });
    await sleep(50);
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('when the connection stood') });
    expect(seen).toEqual({ connections: 1, text: '' });
  });

  test('passed when the TLS connection stands → not-submitted, 0 bytes of HTTP written', async () => {
    const { port, seen } = await serveTls({ trusted: true });
    const outcome = await send({ port, host: 'localhost', protocol: 'https', deadline: passedWhenConnected() });
    await sleep(50);
    expect(outcome).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('when the connection stood') });
    expect(seen.text).toBe('');
  });

  test('a process that stood still while it connected → not-submitted, 0 bytes written', async () => {
    const { port, seen } = await serveAfterRequest((socket) => socket.end(ANSWER));
    const sending = send({ port, deadline: ending(200) });
    // The connection is asked for within these ticks; that it stands, the process hears only after them.
    for (let tick = 0; tick < 50; tick++) await new Promise<void>((resolve) => process.nextTick(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(await sending).toMatchObject({ kind: 'not-submitted', why: expect.stringContaining('nothing was written') });
    await sleep(50);
    expect(seen).toEqual({ connections: 1, text: '' });
  });

  test.each([
    [
      'cannot be read',
      () => {
        throw new Error('no clock');
      },
    ],
    ['is no number', () => Number.NaN],
  ])('a deadline that %s has passed', async (_what, remainingMs) => {
    const { port, seen } = await serve(() => {});
    expect(await send({ port, deadline: { remainingMs } })).toMatchObject({ kind: 'not-submitted' });
    expect(seen.connections).toBe(0);
  });

  test('it ends with the write: a slow answer is waited for', async () => {
    const { port } = await serveAfterRequest((socket) => setTimeout(() => socket.end(ANSWER), 600));
    expect(await send({ port, deadline: ending(200) })).toMatchObject({ kind: 'confirmed' });
  });
});

describe('after the request was written → unknown, and one try only', () => {
  test.each<[string, (socket: Socket) => void, object]>([
    ['reset', (socket) => socket.resetAndDestroy(), { requestId: null, httpStatus: null }],
    ['FIN without an answer', (socket) => socket.end(), { requestId: null, httpStatus: null }],
    ['half a head, then FIN', (socket) => socket.end(ANSWER.slice(0, 20)), { requestId: null, httpStatus: null }],
    ['half a body, then FIN', (socket) => socket.end(ANSWER.slice(0, -20)), { requestId: 'req_1', httpStatus: 200 }],
    [
      'half a body, then reset',
      (socket) => socket.write(ANSWER.slice(0, -20), () => setTimeout(() => socket.resetAndDestroy(), 50)),
      { requestId: 'req_1', httpStatus: 200 },
    ],
  ])('%s', async (_fault, act, receipt) => {
    const { port, seen } = await serveAfterRequest(act);
    expect(await send({ port })).toMatchObject({ kind: 'unknown', resend: 'allowed', receipt });
    await sleep(RESEND_MS);
    expect(seen.connections).toBe(1);
  });

  test('reset as soon as it is accepted: not-submitted only where the connection never stood', async () => {
    const { port, seen } = await serve((socket) => socket.resetAndDestroy());
    const { kind, receipt } = await send({ port });
    // Which of the two it is depends on whom the kernel tells first; the error says `connect` in one case only.
    expect(kind).toBe(/ECONNRESET.*nothing was written/.test(receipt.detail) ? 'not-submitted' : 'unknown');
    await sleep(RESEND_MS);
    expect(seen).toEqual({ connections: 1, text: '' });
  });

  test('a client certificate is asked for: the refusal comes after the request (N10)', async () => {
    const { port } = await serveTls({ trusted: true, requestCert: true });
    expect(await send({ port, host: 'localhost', protocol: 'https' })).toMatchObject({ kind: 'unknown' });
  });

  test('silence, ended at the bound and not at answerWithin', async () => {
    const { port, seen } = await serve(() => {});
    const started = performance.now();
    const outcome = await send({ port, boundMs: 600 });
    expect(outcome).toMatchObject({ kind: 'unknown', why: expect.stringContaining('within 600 ms') });
    expect(performance.now() - started).toBeGreaterThan(550);
    expect(seen.connections).toBe(1);
  });

  test('a body that stalls, ended at the bound, keeps its request ID', async () => {
    const { port } = await serveAfterRequest((socket) => socket.write(ANSWER.slice(0, -20)));
    const outcome = await send({ port, boundMs: 400 });
    expect(outcome).toMatchObject({ kind: 'unknown', receipt: { requestId: 'req_1', httpStatus: 200 } });
  });

  test('a body that drips for ever, ended at the bound', async () => {
    const { port } = await serveAfterRequest((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nRequest-Id: req_1\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await send({ port, boundMs: 400 })).toMatchObject({ kind: 'unknown' });
  });
});

describe('the connection', () => {
  test('TLS with a trusted certificate → confirmed', async () => {
    const { port, seen } = await serveTls({ trusted: true });
    expect(await send({ port, host: 'localhost', protocol: 'https' })).toMatchObject({ kind: 'confirmed' });
    expect(seen.text).toMatch(/^POST \/v1\/refunds HTTP\/1\.1\r\n/);
  });

  test('two addresses, the first refused → one request to the second', async () => {
    const { port, seen } = await serveAfterRequest((socket) => socket.end(ANSWER));
    resolvesTo('127.0.0.2', '127.0.0.1');
    expect(await send({ port, host: 'two.test' })).toMatchObject({ kind: 'confirmed' });
    expect(seen.connections).toBe(1);
  });

  test('keeps the process alive for answerWithin, and no longer', async () => {
    const { port } = await serve(() => {});
    const released = jest.spyOn(Socket.prototype, 'unref');
    const sending = send({ port, boundMs: 800 });
    await sleep(300);
    expect(released).not.toHaveBeenCalled();
    await sending;
    expect(released).toHaveBeenCalledTimes(1);
  });

  test('a fresh one for every attempt, closed after it', async () => {
    const { port, seen } = await serveAfterRequest((socket) => socket.write(ANSWER));
    await send({ port });
    await send({ port });
    expect(seen.connections).toBe(2);
    expect(seen.text.match(/^Connection: close\r$/gm)).toHaveLength(2);
  });
});

function passedWhenConnected(): SendDeadline {
  // The SDK's way to the HTTP client is timed by the first question, the connection by the second.
  const answers = [LONG_MS, LONG_MS];
  return { remainingMs: () => answers.shift() ?? 0 };
}

function resolvesTo(...addresses: string[]): void {
  jest.spyOn(dns, 'lookup').mockImplementation(((
    _host: string,
    _options: object,
    done: (...found: unknown[]) => void,
  ) => {
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  }) as unknown as typeof dns.lookup);
}

async function serveTls({ trusted = false, requestCert = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-tls-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  );
  if (trusted) {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([readFileSync(cert, 'utf8')]);
    closing.push(() => tls.setDefaultCACertificates(before));
  }
  const seen = { connections: 0, text: '' };
  const options = { key: readFileSync(key), cert: readFileSync(cert), requestCert, rejectUnauthorized: requestCert };
  const server = tls.createServer(options, (socket) => {
    seen.connections += 1;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      seen.text += chunk.toString('latin1');
      if (/op_currency]=eur$/.test(seen.text)) socket.end(ANSWER);
    });
  });
  server.on('tlsClientError', () => {});
  const port = await listening(server);
  closing.push(() => server.close());
  return { port, seen };
}

/** A port whose queue of connections is full and whose owner has stopped: the kernel drops further SYNs. */
async function fullBacklog(): Promise<number> {
  const script =
    "const s=require('net').createServer();s.listen({port:0,host:'127.0.0.1',backlog:1},()=>console.log(s.address().port))";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const fillers = Array.from({ length: 8 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => {}));
  closing.push(() => fillers.map((socket) => socket.destroy()));
  await sleep(200);
  return port;
}
