// Needs nothing: the fake Stripe in a process of its own that is killed, and the real SDK, over loopback.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import type { FakeStripe, FakeStripeOptions } from '../../src/testing/fake-stripe/fake-stripe';
import { JournalDamagedError, JournalEndedError } from '../../src/testing/fake-stripe/journal';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0);

let folder: string;
let journalFile: string;
let fake: FakeStripe;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fake-stripe-'));
  journalFile = join(folder, 'journal.jsonl');
});
afterEach(async () => {
  await fake?.close();
  rmSync(folder, { recursive: true });
});

async function start(options: FakeStripeOptions = {}): Promise<Stripe> {
  fake = await startFakeStripe({ now: () => NOON, journalFile, ...options });
  return clientOf(fake.port);
}

async function restart(options: FakeStripeOptions = {}): Promise<Stripe> {
  await fake.close();
  return start(options);
}

function clientOf(port: number): Stripe {
  return new Stripe('sk_test_fake', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });
}

const refund = (stripe: Stripe, key: string, amount = 100) =>
  stripe.refunds.create({ payment_intent: 'pi_1', amount, metadata: { op: key } }, { idempotencyKey: key });

test('everything comes back: payments, refunds, events, stored answers, counts, lag and clock', async () => {
  let stripe = await start();
  fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
  const first = await refund(stripe, 'key-1');
  fake.startRun();
  fake.nextRefunds({ status: 'pending' });
  const second = await refund(stripe, 'key-2');
  fake.settle(second.id, 'failed');
  fake.refundByHand({ payment: 'pi_1', amount: 50, metadata: { über: '漢字\n' } });
  fake.setLag({ list: 0, events: 0, retrieve: 3_000 });
  fake.advanceClock(5_000);
  const before = [fake.report(), fake.report('all'), fake.now(), (await stripe.events.list()).data];
  stripe = await restart();
  expect([fake.report(), fake.report('all'), fake.now(), (await stripe.events.list()).data]).toEqual(before);
  const again = await refund(stripe, 'key-1');
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(await stripe.refunds.create({ payment_intent: 'pi_1' })).toMatchObject({ amount: 850 });
  await expect(stripe.refunds.retrieve(again.id)).resolves.toMatchObject({ status: 'succeeded' });
});

test('a key’s age goes on over a restart', async () => {
  let stripe = await start();
  fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
  await refund(stripe, 'key-1');
  fake.advanceClock(86_399_999);
  stripe = await restart();
  await refund(stripe, 'key-1');
  fake.advanceClock(1);
  await refund(stripe, 'key-1');
  expect(fake.report().sends.map((send) => send.fate)).toEqual(['executed', 'replayed', 'executed']);
});

test('faults and plans are commands: a restart forgets them', async () => {
  let stripe = await start();
  fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
  fake.arm({ route: 'create', kind: 'drop-request' });
  fake.nextRefunds({ status: 'pending' });
  stripe = await restart();
  expect(await refund(stripe, 'key-1')).toMatchObject({ status: 'succeeded' });
});

describe('a torn last line', () => {
  test('never happened, at whatever byte it was cut: refund, events and stored answer go together', async () => {
    const stripe = await start();
    fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
    const before = readFileSync(journalFile).length;
    await refund(stripe, 'key');
    await fake.close();
    const bytes = readFileSync(journalFile);
    const commit = bytes.indexOf('\n', bytes.indexOf('\n', before) + 1) + 1;
    const executed = bytes.subarray(0, commit);
    expect(executed.toString()).toContain('answer-stored');
    const arrived = bytes.indexOf('\n', before) + 1;
    for (let cut = arrived; cut < commit; cut += 37) {
      writeFileSync(journalFile, bytes.subarray(0, cut));
      const again = await start();
      expect(fake.report()).toMatchObject({ effects: [], sends: [{ fate: 'dropped' }] });
      expect((await again.events.list()).data).toEqual([]);
      expect((await refund(again, 'key')).lastResponse.headers['idempotent-replayed']).toBeUndefined();
      await fake.close();
      // What was written after the cut is whole, too.
      await start();
      expect(fake.report()).toMatchObject({
        effects: [{ key: 'key' }],
        sends: [{ fate: 'dropped' }, { fate: 'executed' }],
      });
      await fake.close();
    }
  });

  test('a line without its line end counts as torn', async () => {
    await start();
    fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
    await fake.close();
    truncateSync(journalFile, readFileSync(journalFile).length - 1);
    const stripe = await start();
    await expect(stripe.paymentIntents.retrieve('pi_1')).rejects.toMatchObject({ statusCode: 404 });
  });

  test('damage before the last line is told, not skipped, and the port is free again', async () => {
    await start();
    const { port } = fake;
    await fake.close();
    appendFileSync(journalFile, 'nonsense\n[]\n');
    const damaged = startFakeStripe({ journalFile, port });
    await expect(damaged).rejects.toThrow(JournalDamagedError);
    await expect(damaged).rejects.toThrow('Line 1');
    writeFileSync(journalFile, '');
    await start({ port });
  });
});

test('a taken port is told before the journal is touched', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  appendFileSync(journalFile, '[]\n[{"kind":"run-st');
  await expect(startFakeStripe({ journalFile, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(readFileSync(journalFile, 'utf8')).toBe('[]\n[{"kind":"run-st');
  other.close();
});

test('after closing nothing can be changed any more', async () => {
  await start();
  await fake.close();
  const before = readFileSync(journalFile, 'utf8');
  expect(() => fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' })).toThrow(JournalEndedError);
  expect(readFileSync(journalFile, 'utf8')).toBe(before);
  await fake.close();
});

test('what cannot be written does not happen: no refund, no answer, and nothing after it either', async () => {
  const stripe = await start();
  fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  const fs = jest.requireActual<typeof import('node:fs')>('node:fs');
  const really = fs.writeSync;
  const write = jest.spyOn(fs, 'writeSync').mockImplementation(((file: number, line: Buffer) => {
    if (!line.includes('refund-made')) return really(file, line);
    really(file, line.subarray(0, 50));
    throw new Error('no space');
  }) as typeof fs.writeSync);
  await expect(refund(stripe, 'key-1')).rejects.toMatchObject({ type: 'StripeConnectionError' });
  write.mockRestore();
  await expect(refund(stripe, 'key-2')).rejects.toMatchObject({ type: 'StripeConnectionError' });
  expect(fake.report('all').effects).toEqual([]);
  expect(() => fake.refundByHand({ payment: 'pi_1' })).toThrow(JournalEndedError);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('no space'));
  warn.mockRestore();
  expect(await refund(await restart(), 'key-1')).toMatchObject({ status: 'succeeded' });
});

describe('a process that is killed', () => {
  /** Runs the TypeScript as it is: the child translates what it requires, as jest does here. */
  const CHILD = `
    const { transformFileSync } = require('@swc/core');
    const config = { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' }, swcrc: false };
    require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file, config).code, file);
    const { startFakeStripe } = require('./src/testing/fake-stripe/start-fake-stripe.ts');
    startFakeStripe({ journalFile: process.env.JOURNAL }).then((fake) => console.log(fake.port));
  `;
  let child: ChildProcess;

  async function spawnFake(): Promise<number> {
    child = spawn(process.execPath, ['-e', CHILD], {
      cwd: join(__dirname, '../..'),
      env: { ...process.env, JOURNAL: journalFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout === null) throw new Error('Bug: the child has no output.');
    const [line] = await once(child.stdout, 'data');
    return Number(String(line));
  }

  async function kill(): Promise<void> {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  const control = (port: number, path: string, value: unknown) =>
    fetch(`http://127.0.0.1:${port}/_fake/${path}`, { method: 'POST', body: JSON.stringify(value) });

  test('keeps what it answered, and makes no second refund of what it did not', async () => {
    const port = await spawnFake();
    await control(port, 'payments', { id: 'pi_1', amount: 100_000, currency: 'usd' });
    await control(port, 'faults', { route: 'create', kind: 'hold-answer', key: 'key-held' });
    const answered = new Map<string, string>();
    const stripe = clientOf(port);
    const calls = Array.from({ length: 200 }, async (_, n) => {
      const made = await refund(stripe, `key-${n}`, 10);
      answered.set(`key-${n}`, made.id);
      if (answered.size === 60) child.kill('SIGKILL');
    });
    const held = refund(stripe, 'key-held').catch(() => 'lost');
    const gone = once(child, 'exit');
    await Promise.allSettled(calls);
    await gone;
    expect(await held).toBe('lost');
    expect(answered.size).toBeGreaterThanOrEqual(60);

    const again = clientOf(await spawnFake());
    for (let n = 0; n < 200; n++) {
      const { id } = await refund(again, `key-${n}`, 10);
      expect([undefined, id]).toContain(answered.get(`key-${n}`));
    }
    await refund(again, 'key-held');
    await kill();
    await start();
    const { effects } = fake.report();
    expect(effects).toHaveLength(201);
    expect(new Set(effects.map((effect) => effect.key)).size).toBe(201);
    expect(fake.report().sends.filter((send) => send.fate === 'waiting')).toEqual([]);
  });
});
