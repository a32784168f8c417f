import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { answers } from './ports';

/** As the server's API numbers them; the SDK does not export these for use outside of workflows. */
const attributeTypes = { Text: 1, Keyword: 2, Int: 3, Double: 4, Bool: 5, Datetime: 6, KeywordList: 7 } as const;

/** The search attributes the namespace must know, by name. */
export type SearchAttributes = Readonly<Record<string, keyof typeof attributeTypes>>;

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
 * attributes it was created with. Those that exist already are no error.
 */
export async function registerSearchAttributes(
  port: number,
  namespace: string,
  attributes: SearchAttributes,
): Promise<void> {
  const searchAttributes = Object.fromEntries(
    Object.entries(attributes).map(([name, type]) => [name, attributeTypes[type]]),
  );
  if (Object.keys(searchAttributes).length === 0) return;
  await withConnection(port, (connection) =>
    connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
  );
}

async function withConnection<Result>(port: number, use: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address: `127.0.0.1:${port}`, connectTimeout: 2_000 });
  try {
    return await connection.withDeadline(Date.now() + 5_000, () => use(connection));
  } finally {
    await connection.close();
  }
}
