import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { z } from 'zod';
import type { DatabaseOptions } from './ledger/database';

/** A setting is missing or wrong. Nothing was started. */
export class SettingInvalidError extends Error {
  readonly code = 'SENDONCE_SETTING_INVALID';
  override readonly name = 'SettingInvalidError';
  constructor(
    readonly setting: string,
    problem: string,
    cause?: unknown,
  ) {
    super(`${setting} ${problem}`, { cause });
  }
}

/** Where a worker or a client finds its servers. */
export interface Settings {
  readonly database: DatabaseOptions;
  readonly temporal: TemporalSettings;
}

export interface TemporalSettings {
  /** What both the worker's and the client's connection take. */
  readonly connection: NativeConnectionOptions & { readonly address: string };
  readonly namespace: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DATABASE_URL = z.url({ protocol: /^postgres(ql)?$/ });

/** Temporal's own default for a server on this machine. */
const DEFAULT_TEMPORAL_ADDRESS = '127.0.0.1:7233';

/**
 * Reads `DATABASE_URL`, and the connection to Temporal as Temporal's own tools do: `TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…`, `TEMPORAL_PROFILE` and the config file.
 * Throws SettingInvalidError, which names the setting and what to do.
 */
export function readSettings(env: Environment = process.env): Settings {
  return { database: { url: databaseUrl(env) }, temporal: temporalSettings(env) };
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

function temporalSettings(env: Environment): TemporalSettings {
  const loaded = loadProfile(env);
  const address = loaded.connectionOptions.address ?? DEFAULT_TEMPORAL_ADDRESS;
  if (!/^[^\s/]+:\d{1,5}$/.test(address)) {
    const problem = `is ${JSON.stringify(address)}. Set it to host:port, for example ${DEFAULT_TEMPORAL_ADDRESS}.`;
    throw new SettingInvalidError('TEMPORAL_ADDRESS', problem);
  }
  return { connection: { ...loaded.connectionOptions, address }, namespace: loaded.namespace ?? 'default' };
}

function loadProfile(env: Environment): ReturnType<typeof loadClientConnectConfig> {
  try {
    return loadClientConnectConfig({ overrideEnvVars: defined(env) });
  } catch (cause) {
    const problem = `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new SettingInvalidError("Temporal's connection settings (TEMPORAL_…)", problem, cause);
  }
}

function defined(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
