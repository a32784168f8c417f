import { startWebhookDoor, type WebhookDoor } from '../console/start-webhook-door';
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
  const { tools, settings } = await loadWorkerModule(file);
  const ledger = settings ? { database: settings.database } : {};
  const door = await startWebhookDoor({ tools, ...ledger, port, host, log: say }).catch((error: unknown) => {
    throw isTaken(error)
      ? new CommandError(`Port ${port} of ${host} is taken. Free it, or give another --port.`)
      : error;
  });
  const stopped = stoppedBySignal(door);
  say(`webhooks are taken at ${door.paths.map((path) => door.url + path).join(', ')}. Ctrl-C drains.`);
  await stopped;
  const counts = Object.entries(door.counts()).map(([result, count]) => `${count} ${result}`);
  say(`the door is closed. Webhooks: ${counts.join(', ')}.`);
  // The user's module may hold connections open for as long as the process lives.
  process.exit(0);
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
