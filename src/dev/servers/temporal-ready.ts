import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../search-attributes';
import { answers } from './ports';

const pollMs = 25;

/**
 * Waits until the server answers requests for the namespace; the port is open before. Returns false when `giveUp` says
 * so first.
 */
export async function untilReady(port: number, namespace: string, giveUp: () => boolean): Promise<boolean> {
  for (; !giveUp(); await sleep(pollMs)) {
    // Asked first, since a refused gRPC connection is tried again only after a second.
    if (await answers(port)) {
      try {
        await withConnection(port, (connection) => connection.workflowService.describeNamespace({ namespace }));
        return true;
      } catch {
        // Not yet.
      }
    }
  }
  return false;
}

/**
 * By the API, for the server's `--search-attribute` counts for a new database only: one that is there keeps the
 * attributes it was created with.
 */
export async function addSearchAttributes(port: number, namespace: string): Promise<void> {
  await withConnection(port, (connection) => registerSearchAttributes(connection, namespace));
}

async function withConnection<Result>(port: number, use: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address: `127.0.0.1:${port}`, connectTimeout: 2_000 });
  try {
    return await connection.withDeadline(Date.now() + 5_000, () => use(connection));
  } finally {
    await connection.close();
  }
}
