import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { DevServerError } from './dev-server-error';

const loopback = '127.0.0.1';

/** Whether nothing listens on the port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  // Both questions: macOS lets us bind 127.0.0.1 beside a listener on all addresses, who would then get no connections.
  if (await answers(port)) return false;
  const server = await listen(port);
  if (server === null) return false;
  await close(server);
  return true;
}

/**
 * Below the range from which the system takes ports for outgoing connections (from 32768 on Linux, 49152 on macOS): one
 * of those could be taken between finding it and listening on it.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;
const TRIES = 200;

/** Different free ports of 127.0.0.1. Nothing keeps them free: use them soon. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries > TRIES) throw new DevServerError('SENDONCE_PORT_IN_USE', 'No free port was found on 127.0.0.1.');
    const port = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT);
    if (await isPortFree(port)) ports.add(port);
  }
  return [...ports];
}

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1);
  if (port === undefined) throw new Error('Bug: one port was asked for.');
  return port;
}

/** Throws `SENDONCE_PORT_IN_USE` unless the port is free. `setting` is what a person changes to get another one. */
export async function requireFreePort(port: number, use: string, setting: string): Promise<void> {
  if (!(await isPortFree(port))) throw await portInUse(port, use, setting);
}

export async function portInUse(port: number, use: string, setting: string): Promise<DevServerError> {
  const other = await findFreePort();
  return new DevServerError(
    'SENDONCE_PORT_IN_USE',
    `${use} cannot listen on port ${port}, another program does: stop that program, or set ${setting} to a free port such as ${other}.`,
  );
}

/** Whether somebody accepts connections on the port of 127.0.0.1. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: loopback, timeout: 1_000 });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('timeout', () => done(false));
  });
}

async function listen(port: number): Promise<Server | null> {
  const server = createServer();
  server.listen({ port, host: loopback, exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
