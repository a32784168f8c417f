// Needs Postgres.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { openDatabase } from '../../src/ledger/database';
import { checkSchema } from '../../src/ledger/migrate';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** Bytes of the message with which a client of Postgres asks for TLS. */
const SSL_REQUEST_LENGTH = 8;

let folder: string;
let database: TestDatabase;
let door: { readonly server: Server; readonly port: number; encrypted: number };

/** A server certificate for 127.0.0.1 that is its own authority. */
function certificate(name: string): void {
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files], {
    stdio: 'ignore',
  });
}

/** A door to Postgres that takes encrypted connections only, as servers in a cloud do. */
async function encryptedDoor(host: string, port: number): Promise<typeof door> {
  const opened = { server: createServer(), port: 0, encrypted: 0 };
  opened.server.on('connection', (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (asked) => {
      if (asked.length !== SSL_REQUEST_LENGTH) {
        socket.destroy();
        return;
      }
      socket.write('S');
      opened.encrypted++;
      const key = readFileSync(join(folder, 'server.key'));
      const cert = readFileSync(join(folder, 'server.pem'));
      joined(new TLSSocket(socket, { isServer: true, key, cert }), connect(port, host));
    });
  });
  await new Promise<void>((resolve) => opened.server.listen(0, '127.0.0.1', resolve));
  const address = opened.server.address();
  return Object.assign(opened, { port: typeof address === 'object' && address !== null ? address.port : 0 });
}

function joined(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendonce-tls-'));
  certificate('server');
  certificate('stranger');
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  door = await encryptedDoor(hostname, Number(port));
});
afterAll(async () => {
  door.server.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function check(parameters: Record<string, string>): Promise<void> {
  const url = new URL(database.url);
  url.port = String(door.port);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const opened = openDatabase({ url: url.href });
  try {
    await checkSchema(opened);
  } finally {
    await opened.close();
  }
}

describe('TLS in DATABASE_URL', () => {
  test('sslmode=verify-full with the server’s authority → connected, encrypted', async () => {
    const before = door.encrypted;
    await check({ sslmode: 'verify-full', sslrootcert: join(folder, 'server.pem') });
    expect(door.encrypted).toBe(before + 1);
  });

  test.each([
    ['another authority', { sslmode: 'verify-full', sslrootcert: 'stranger.pem' }],
    ['no authority', { sslmode: 'verify-full' }],
  ])('sslmode=verify-full with %s → refused, and the reason told', async (_what, parameters) => {
    const file = 'sslrootcert' in parameters ? { sslrootcert: join(folder, parameters.sslrootcert) } : {};
    await expect(check({ ...parameters, ...file })).rejects.toMatchObject({
      code: 'SENDONCE_DATABASE_UNREACHABLE',
      message: expect.stringMatching(/self.signed certificate/),
    });
  });

  test('no sslmode at a server that demands TLS → refused', async () => {
    await expect(check({})).rejects.toMatchObject({ code: 'SENDONCE_DATABASE_UNREACHABLE' });
  });

  test('an authority’s file that is not there → the file is named', async () => {
    await expect(check({ sslmode: 'verify-full', sslrootcert: '/nowhere/ca.pem' })).rejects.toThrow(
      /\/nowhere\/ca\.pem/,
    );
  });
});
