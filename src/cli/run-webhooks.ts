import { type ClientOptions, connectClient, type SendonceClient } from '../client/connect-client';
import { startWebhookDoor, type WebhookDoor } from '../console/start-webhook-door';
import type { StartWorkerOptions } from '../worker';
import { CommandError } from './command-error';
import { onStopSignal } from './on-stop-signal';
import { say } from './say';
import { loadWorkerModule } from './worker-module';

export interface WebhooksCommand {
  readonly tools: string;
  readonly port: number;
  readonly host: string;
}

/** `sendonce webhooks`: takes webhooks for the tools of the module's `worker` until a signal, and then says what came. */
export async function runWebhooks({ tools: file, port, host }: WebhooksCommand): Promise<void> {
  const { tools, ...options } = await loadWorkerModule(file);
  const ledger = options.settings ? { database: options.settings.database } : {};
  const client = new LazyClient(options);
  const onRecorded = () => client.wake();
  const door = await startWebhookDoor({ tools, ...ledger, port, host, log: say, onRecorded }).catch(
    (error: unknown) => {
      throw isTaken(error)
        ? new CommandError(`Port ${port} of ${host} is taken. Free it, or give another --port.`)
        : error;
    },
  );
  const stopped = stoppedBySignal(door);
  say(`webhooks are taken at ${door.paths.map((path) => door.url + path).join(', ')}. Ctrl-C drains.`);
  await stopped;
  const counts = Object.entries(door.counts()).map(([result, count]) => `${count} ${result}`);
  say(`the door is closed. Webhooks: ${counts.join(', ')}.`);
  // The user's module may hold connections open for as long as the process lives.
  process.exit(0);
}

/**
 * Connects to Temporal when the first webhook has told something new, and never where it cannot: the door needs no
 * Temporal, and reconciliation finds by its timer what it was not hinted at.
 */
class LazyClient {
  readonly #options: ClientOptions;
  #client: Promise<SendonceClient> | null = null;

  constructor({ settings, taskQueue, dataConverter }: Partial<StartWorkerOptions>) {
    this.#options = {
      ...(settings ? { settings } : {}),
      ...(taskQueue === undefined ? {} : { taskQueue }),
      ...(dataConverter ? { dataConverter } : {}),
    };
  }

  async wake(): Promise<void> {
    this.#client ??= connectClient(this.#options);
    const client = await this.#client.catch((error: unknown) => {
      this.#client = null;
      throw error;
    });
    await client.reconciliation.wake();
  }
}

function stoppedBySignal(door: WebhookDoor): Promise<void> {
  return new Promise((resolve, reject) => {
    onStopSignal({
      first: (signal) => {
        say(`${signal}: draining. The door takes no more, and what is under way is stored.`);
        door.stop().then(resolve, reject);
      },
      again: () => say('still draining: what is under way is stored first.'),
    });
  });
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
