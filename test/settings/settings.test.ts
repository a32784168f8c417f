// Needs nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { readSettings, SettingInvalidError } from '../../src/settings';

const DATABASE_URL = 'postgres://user:hunter2@db.example:5432/sendonce';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendonce-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function configFile(content: string): string {
  const path = join(folder, 'temporal.toml');
  writeFileSync(path, content);
  return path;
}

function problem(env: Record<string, string | undefined>): SettingInvalidError {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingInvalidError) return error;
    throw error;
  }
  throw new Error('The settings are taken.');
}

describe('DATABASE_URL', () => {
  test.each([
    'postgres://user:password@host:5432/database',
    'postgresql://user:p%40ss@[::1]/database?sslmode=require',
    'postgres:///database',
  ])('%s is taken as it is', (url) => {
    expect(readSettings({ DATABASE_URL: url }).database).toEqual({ url });
  });

  test.each([undefined, ''])('%p → it is missing, and what to set', (url) => {
    expect(problem({ DATABASE_URL: url })).toMatchObject({
      ...{ code: 'SENDONCE_SETTING_INVALID', setting: 'DATABASE_URL' },
      message: 'DATABASE_URL is missing. Set it to postgres://user:password@host:5432/database.',
    });
  });

  test.each([
    'mysql://user:hunter2@host/database',
    'host=localhost password=hunter2',
    'postgres:hunter2',
    'postgres://user:hunter2#x@host/database',
    'postgres://user:hunter2@host:99999/database',
    'hunter2',
  ])('%s → it is not a Postgres URL; neither it nor its password is shown', (url) => {
    const error = problem({ DATABASE_URL: url });
    expect(error.message).toBe(
      'DATABASE_URL is not a Postgres URL. Set it to postgres://user:password@host:5432/database.',
    );
    expect(inspect(error)).not.toContain('hunter2');
  });
});

describe('the connection to Temporal', () => {
  const temporal = (env: Record<string, string>) => readSettings({ DATABASE_URL, ...env }).temporal;

  test('an environment without any of its settings → a server on this machine, the default namespace, no TLS', () => {
    const { connection, namespace } = temporal({});
    expect({ address: connection.address, tls: connection.tls, namespace }).toEqual({
      ...{ address: '127.0.0.1:7233', tls: undefined, namespace: 'default' },
    });
  });

  test('settings that are set to nothing are not set', () => {
    const names = ['ADDRESS', 'NAMESPACE', 'API_KEY', 'TLS', 'TLS_CLIENT_CERT_PATH', 'PROFILE', 'CONFIG_FILE'];
    const empty = Object.fromEntries(names.map((name) => [`TEMPORAL_${name}`, '']));
    expect(temporal(empty)).toEqual(temporal({}));
  });

  test('address, namespace and API key are taken; a key brings TLS with it', () => {
    const { connection, namespace } = temporal({
      ...{ TEMPORAL_ADDRESS: 'ns.tmprl.cloud:7233', TEMPORAL_NAMESPACE: 'ns.acct', TEMPORAL_API_KEY: 'key' },
    });
    expect({ ...connection, namespace }).toMatchObject({
      ...{ address: 'ns.tmprl.cloud:7233', apiKey: 'key', tls: true, namespace: 'ns.acct' },
    });
  });

  test('TLS can be switched on and off', () => {
    expect(temporal({ TEMPORAL_TLS: 'true' }).connection.tls).toBeTruthy();
    expect(temporal({ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'key' }).connection.tls).toBe(false);
  });

  test('a profile of the config file is read, and the environment goes before it', () => {
    const TEMPORAL_CONFIG_FILE = configFile('[profile.prod]\naddress = "prod:7233"\nnamespace = "orders"\n');
    const { connection, namespace } = temporal({
      ...{ TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: 'prod', TEMPORAL_NAMESPACE: 'other' },
    });
    expect([connection.address, namespace]).toEqual(['prod:7233', 'other']);
  });

  test('metadata that is set to nothing is removed, as Temporal’s own tools do', () => {
    const TEMPORAL_CONFIG_FILE = configFile('[profile.default.grpc_meta]\nteam = "a"\n');
    expect(temporal({ TEMPORAL_CONFIG_FILE }).connection.metadata).toEqual({ team: 'a' });
    expect(temporal({ TEMPORAL_CONFIG_FILE, TEMPORAL_GRPC_META_TEAM: '' }).connection.metadata).toEqual({});
  });

  test.each(['localhost', ':7233', 'host:port', 'host:99999', 'http://host:7233', 'host:7233 ', 'a b:7233'])(
    'the address %p → it is shown with the form it must have',
    (address) => {
      expect(problem({ DATABASE_URL, TEMPORAL_ADDRESS: address }).message).toBe(
        `TEMPORAL_ADDRESS is ${JSON.stringify(address)}. Set it to host:port, for example 127.0.0.1:7233.`,
      );
    },
  );

  test.each(['user:hunter2@host:7233', 'https://user:hunter2@host:7233'])(
    'an address with a password (%s) is not shown',
    (address) => {
      const error = problem({ DATABASE_URL, TEMPORAL_ADDRESS: address });
      expect(error.message).toMatch(/^TEMPORAL_ADDRESS is not an address\. Set it to host:port/);
      expect(inspect(error)).not.toContain('hunter2');
    },
  );

  test.each(['yes', 'TRUE', 'on', 'no'])('TEMPORAL_TLS=%s → refused; it would be read as “no TLS”', (tls) => {
    expect(problem({ DATABASE_URL, TEMPORAL_TLS: tls, TEMPORAL_API_KEY: 'key' }).message).toBe(
      `TEMPORAL_TLS is "${tls}". Set it to true or false.`,
    );
  });

  test.each([
    [
      'a certificate that is not there',
      { TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/client.pem' },
      /\/nowhere\/client\.pem/,
    ],
    ['a profile that is not there', { TEMPORAL_PROFILE: 'prod' }, /Profile 'prod' not found/],
  ])('%s → it is named, with what to do', (_what, env, message) => {
    const error = problem({ DATABASE_URL, ...env });
    expect(error.message).toMatch(/^Temporal's connection settings \(TEMPORAL_…\) cannot be read: .*\. Correct /);
    expect(error.message).toMatch(message);
  });

  test('a config file that cannot be read is told without its lines: they hold keys', () => {
    const TEMPORAL_CONFIG_FILE = configFile('[profile.default]\napi_key = "hunter2\naddress = "a:1"\n');
    const error = problem({ DATABASE_URL, TEMPORAL_CONFIG_FILE });
    expect(error.message).toMatch(/cannot be read: Invalid TOML document/);
    expect(inspect(error)).not.toContain('hunter2');
  });
});

describe('the schema and the pool', () => {
  test('are taken from the environment, and left to their defaults where it is silent', () => {
    const env = { DATABASE_URL, SENDONCE_SCHEMA: 'refunds', SENDONCE_POOL_SIZE: '25' };
    expect(readSettings(env).database).toEqual({ url: DATABASE_URL, schema: 'refunds', poolSize: 25 });
    expect(readSettings({ DATABASE_URL, SENDONCE_SCHEMA: '', SENDONCE_POOL_SIZE: '' }).database).toEqual({
      url: DATABASE_URL,
    });
  });

  test.each(['Refunds', '1st', 'a-b', 'a b', 'a"', 'größe', 'x'.repeat(64)])(
    'SENDONCE_SCHEMA %s is refused',
    (schema) => {
      expect(problem({ DATABASE_URL, SENDONCE_SCHEMA: schema })).toMatchObject({
        setting: 'SENDONCE_SCHEMA',
        message: `SENDONCE_SCHEMA is "${schema.replaceAll('"', '\\"')}". Set it to lower-case letters, digits and _ (no digit first), or leave it out.`,
      });
    },
  );

  test.each(['0', '-1', '1.5', 'ten', '10000', ' 5'])('SENDONCE_POOL_SIZE %s is refused', (size) => {
    expect(problem({ DATABASE_URL, SENDONCE_POOL_SIZE: size })).toMatchObject({
      setting: 'SENDONCE_POOL_SIZE',
      message: `SENDONCE_POOL_SIZE is "${size}". Set it to the connections this process may hold, 1 to 9999, or leave it out.`,
    });
  });
});
