import { Connection } from '@temporalio/client';
import { checkNamespace } from './check-namespace';
import { readTemporalSettings, type TemporalSettings } from './settings';
import { TemporalUnreachableError } from './temporal-unreachable-error';

/**
 * Runs `use` on a connection to the server: the configured one unless given. Throws SettingInvalidError,
 * TemporalUnreachableError, NamespaceMissingError.
 */
export async function withTemporal<T>(
  use: (connection: Connection, namespace: string) => Promise<T>,
  settings: TemporalSettings = readTemporalSettings(),
): Promise<T> {
  const connection = await Connection.connect(settings.connection).catch((cause: unknown) => {
    throw new TemporalUnreachableError(settings.connection.address, cause);
  });
  try {
    await checkNamespace(connection, settings);
    return await use(connection, settings.namespace);
  } finally {
    await connection.close();
  }
}
