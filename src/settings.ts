import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { z } from 'zod';
import { type DatabaseOptions, isSchemaName } from './ledger/database';

/** A setting is missing or wrong. Nothing was started. */
export class SettingInvalidError extends Error {
  readonly code = 'SENDONCE_SETTING_INVALID';
  override readonly name = 'SettingInvalidError';
  constructor(
    readonly setting: string,
    problem: string,
  ) {
    super(`${setting} ${problem}`);
  }
}

/** Where a worker or a client finds its servers. */
export interface Settings {
  readonly database: DatabaseOptions;
  readonly temporal: TemporalSettings;
}

/** How to reach Temporal: address, TLS, API key, namespace. */
export interface TemporalSettings {
  /** What both the worker's and the client's connection take. */
  readonly connection: NativeConnectionOptions & { readonly address: string };
  readonly namespace: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DATABASE_URL = z.url({ protocol: /^postgres(ql)?$/ }).regex(/^[a-z]+:\/\//i);

/** Temporal's own default for a server on this machine. */
const DEFAULT_TEMPORAL_ADDRESS = '127.0.0.1:7233';
const PORT_MAX = 65_535;

/**
 * Reads `DATABASE_URL`, `SENDONCE_SCHEMA`, `SENDONCE_POOL_SIZE`, and the connection to Temporal as Temporal's own tools do: `TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…`, `TEMPORAL_PROFILE` and the config file.
 * Throws SettingInvalidError, which names the setting and what to do.
 */
export function readSettings(env: Environment = process.env): Settings {
  return { database: readDatabaseSettings(env), temporal: readTemporalSettings(env) };
}

/** `DATABASE_URL`, `SENDONCE_SCHEMA` and `SENDONCE_POOL_SIZE` alone. Throws SettingInvalidError. */
export function readDatabaseSettings(env: Environment = process.env): DatabaseOptions {
  const { SENDONCE_SCHEMA: schema, SENDONCE_POOL_SIZE: poolSize } = env;
  if (schema && !isSchemaName(schema)) {
    throw new SettingInvalidError(
      'SENDONCE_SCHEMA',
      `is ${JSON.stringify(schema)}. Set it to lower-case letters, digits and _ (no digit first), or leave it out.`,
    );
  }
  if (poolSize && !/^[1-9]\d{0,3}$/.test(poolSize)) {
    throw new SettingInvalidError(
      'SENDONCE_POOL_SIZE',
      `is ${JSON.stringify(poolSize)}. Set it to the connections this process may hold, 1 to 9999, or leave it out.`,
    );
  }
  return {
    url: databaseUrl(env),
    ...(schema ? { schema } : {}),
    ...(poolSize ? { poolSize: Number(poolSize) } : {}),
  };
}

function databaseUrl(env: Environment): string {
  const url = env['DATABASE_URL'];
  const example = 'Set it to postgres://user:password@host:5432/database.';
  if (!url) throw new SettingInvalidError('DATABASE_URL', `is missing. ${example}`);
  if (!DATABASE_URL.safeParse(url).success) {
    throw new SettingInvalidError('DATABASE_URL', `is not a Postgres URL. ${example}`);
  }
  return url;
}

/** The connection to Temporal alone. Throws SettingInvalidError. */
export function readTemporalSettings(env: Environment = process.env): TemporalSettings {
  const loaded = loadProfile(env);
  const address = String(loaded.connectionOptions.address ?? DEFAULT_TEMPORAL_ADDRESS);
  const port = /^[^\s/@]+:(\d{1,5})$/.exec(address)?.[1];
  if (port === undefined || Number(port) > PORT_MAX) {
    // What stands before an @ may be a password.
    const shown = address.includes('@') ? 'is not an address' : `is ${JSON.stringify(address)}`;
    throw new SettingInvalidError(
      'TEMPORAL_ADDRESS',
      `${shown}. Set it to host:port, for example ${DEFAULT_TEMPORAL_ADDRESS}.`,
    );
  }
  return { connection: { ...loaded.connectionOptions, address }, namespace: loaded.namespace ?? 'default' };
}

function loadProfile(env: Environment): ReturnType<typeof loadClientConnectConfig> {
  const given = withoutEmpty(env);
  const tls = given['TEMPORAL_TLS'];
  // Temporal's own reader takes every other word for false, and would send the API key in the clear.
  if (tls !== undefined && !['true', '1', 'false', '0'].includes(tls)) {
    throw new SettingInvalidError('TEMPORAL_TLS', `is ${JSON.stringify(tls)}. Set it to true or false.`);
  }
  try {
    return loadClientConnectConfig({ overrideEnvVars: given });
  } catch (error) {
    // The first line only, and no cause: what is wrong in the config file is shown with its lines, secrets included.
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new SettingInvalidError(
      "Temporal's connection settings (TEMPORAL_…)",
      `cannot be read: ${why}. Correct the variable or the config file that this is about.`,
    );
  }
}

/** A variable that is set to nothing is not set, as scripts and compose files leave them; metadata is removed by it. */
function withoutEmpty(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const meant = value !== undefined && (value !== '' || name.startsWith('TEMPORAL_GRPC_META_'));
      return meant ? [[name, value]] : [];
    }),
  );
}
