// Needs nothing: the command starts a Postgres and a Temporal of its own.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isPortFree } from '../../src/dev/servers/ports';
import { openDatabase } from '../../src/ledger/database';
import {
  buildDemo,
  demoFolder,
  describeOnLinux,
  freePortSettings,
  processesOn,
  spawnDemo,
} from '../support/demo-command';
import { until } from '../support/until';

const RUN_TIMEOUT_MS = 180_000;

let folder: ReturnType<typeof demoFolder>;
let env: Record<string, string>;

beforeAll(buildDemo, 120_000);
beforeEach(async () => {
  folder = demoFolder();
  env = await freePortSettings();
});
afterEach(async () => {
  await killEverything();
  folder.remove();
});

interface StayingDemo {
  readonly process: ChildProcess;
  /** All it has written so far. */
  text(): string;
  /** Waits until it has written this. */
  wrote(text: string): Promise<void>;
  /** Its exit code. */
  readonly end: Promise<number | null>;
}

/** `npm start` with these arguments, in a process group of its own as in a terminal. */
function start(...args: string[]): StayingDemo {
  const child = spawnDemo(args, { dataDir: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += String(chunk)));
  const end = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    end,
    text: () => written,
    wrote: async (text) => {
      await until(() => written.includes(text) || child.exitCode !== null || child.signalCode !== null);
      if (!written.includes(text)) throw new Error(`It ended before it wrote "${text}":\n${written}`);
    },
  };
}

/** Ctrl-C: the terminal sends it to the whole process group, workers included. */
function interrupt({ process: { pid = 0 } }: StayingDemo): void {
  process.kill(-pid, 'SIGINT');
}

/** kill -9 of the command, its workers, Postgres and Temporal, all at once. */
async function killEverything(): Promise<void> {
  for (const pid of processesOn(folder.path)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with another one.
    }
  }
  await until(() => processesOn(folder.path).length === 0);
}

/** The ledger's rows, read past everything of ours. */
async function operations(): Promise<{ id: string; state: string; attempts: number }[]> {
  const home = realpathSync(join(folder.path, 'postgres'));
  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  const url = `postgres://postgres:${password}@127.0.0.1:${env['SENDONCE_POSTGRES_PORT']}/sendonce`;
  const database = openDatabase({ url });
  try {
    const { rows } = await database.pool.query<{ id: string; state: string; attempts: number }>(
      'select operation_id as id, state, attempts from sendonce.operations order by operation_id',
    );
    return rows;
  } finally {
    await database.close();
  }
}

const UP = 'Everything stays up until Ctrl-C';
const confirmed = (id: string) => ({ id, state: 'confirmed', attempts: 1 });

describeOnLinux('npm start', () => {
  test(
    'kill -9 of everything, start again → the first run’s operation is there and settled, the next order is taken',
    async () => {
      const first = start();
      await first.wrote(UP);
      expect(await operations()).toEqual([confirmed('refund-1043-li_2')]);
      expect(processesOn(folder.path).length).toBeGreaterThan(3);
      await killEverything();
      await first.end;

      const second = start('--scenario', 'happy');
      await second.wrote(UP);
      expect(second.text()).toContain('order 1044');
      expect(await operations()).toEqual([confirmed('refund-1043-li_2'), confirmed('refund-1044-li_2')]);
      expect(second.text()).toContain('At the provider: 1 refund, 1 request to make one');

      interrupt(second);
      expect(await second.end).toBe(130);
      expect(second.text()).toContain('Stopping. The data stay.');
      expect(processesOn(folder.path)).toEqual([]);
      for (const port of Object.values(env)) expect(await isPortFree(Number(port))).toBe(true);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'kill -9 of everything between mark and send, start again → that operation is settled, and the next run’s promises hold',
    async () => {
      const first = start('--scenario', 'zombie');
      await first.wrote('freezes between mark and send.');
      expect(await operations()).toEqual([{ id: 'refund-1043-li_2', state: 'submitted', attempts: 1 }]);
      await killEverything();
      await first.end;

      const second = start('--scenario', 'happy');
      await second.wrote(UP);
      await until(async () => (await operations()).every(({ state }) => state === 'confirmed'));
      expect(await operations()).toEqual([
        { ...confirmed('refund-1043-li_2'), attempts: 2 },
        confirmed('refund-1044-li_2'),
      ]);
      // The first run's refund is made beside it, and is none of its own.
      expect(second.text()).toContain('At the provider: 1 refund, 1 request to make one');
      expect(second.text()).not.toContain('BROKEN PROMISE');
    },
    RUN_TIMEOUT_MS,
  );

  test.each([
    { signal: 'SIGINT', code: 130, scenario: 'lost-answer', moment: 'attempt 1 marked' },
    { signal: 'SIGTERM', code: 143, scenario: 'lost-answer', moment: 'attempt 1 marked' },
    { signal: 'SIGINT', code: 130, scenario: 'zombie', moment: 'freezes between mark and send.' },
  ] as const)(
    '$signal in the middle of $scenario → it stops, and no process is left',
    async ({ signal, code, scenario, moment }) => {
      const demo = start('--scenario', scenario);
      await demo.wrote(moment);
      demo.process.kill(signal);
      expect(await demo.end).toBe(code);
      expect(demo.text()).not.toContain('sendonce: ');
      expect(processesOn(folder.path)).toEqual([]);
    },
    // A worker that waits for what never comes would take more than this.
    60_000,
  );

  test(
    '--once, SIGINT in the middle of the story → it stops, and neither a process nor a file is left',
    async () => {
      const demo = start('--once');
      await demo.wrote('attempt 1 marked');
      interrupt(demo);
      expect(await demo.end).toBe(130);
      expect(demo.text()).not.toContain('sendonce: ');
      expect(processesOn(folder.path)).toEqual([]);
      expect(readdirSync(folder.path)).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'SIGINT while the servers start → it stops, and no process is left',
    async () => {
      const demo = start();
      await until(() => processesOn(folder.path).length > 1);
      demo.process.kill('SIGINT');
      expect(await demo.end).toBe(130);
      await until(() => processesOn(folder.path).length === 0);
    },
    RUN_TIMEOUT_MS,
  );
});
