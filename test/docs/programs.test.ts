// Needs Postgres and Temporal.
import { Client, Connection } from '@temporalio/client';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { buildDemo } from '../support/demo-command';
import { type Helpdesk, type HelpdeskFault, startHelpdesk } from '../support/helpdesk';
import { historyText } from '../support/history';
import { type CodeBlock, markdownPages } from '../support/markdown';
import { createNamespace } from '../support/own-namespace';
import { contentOf, type SnippetProject, snippetProject } from '../support/snippets';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** The programs of the pages, run as their readers run them: the package as it is built, real servers, own processes. */
const BLOCKS = markdownPages().flatMap(({ blocks }) => blocks);
const PROGRAM_TIMEOUT_MS = 120_000;

let project: SnippetProject;
let testDatabase: TestDatabase;

beforeAll(buildDemo, PROGRAM_TIMEOUT_MS);

async function begin(options: { migrated: boolean }): Promise<Record<string, string>> {
  project = snippetProject();
  testDatabase = await createTestDatabase(options);
  return {
    DATABASE_URL: testDatabase.url,
    TEMPORAL_ADDRESS: process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'] ?? '',
    TEMPORAL_NAMESPACE: await createNamespace(),
  };
}

afterEach(async () => {
  await project.remove();
  await testDatabase.drop();
});

/** The one block of a page that holds this. */
function blockWith(page: string, text: string): CodeBlock {
  const [block, ...more] = BLOCKS.filter((each) => each.page === page && each.code.includes(text));
  if (block === undefined || more.length > 0) throw new Error(`${page} must have one block with ${text}.`);
  return block;
}

function writeFilesOf(page: string): void {
  for (const block of BLOCKS)
    if (block.page === page && block.file !== null) project.write(block.file, contentOf(block));
}

/** The SDK as it is, on the way to the fake. */
function stripeSdk({ host, port, protocol }: FakeStripe): string {
  return `import Stripe from 'stripe';
    export default class extends Stripe {
      constructor(key: string, config: object) { super(key, { ...config, ...${JSON.stringify({ host, port, protocol })} }); }
    }`;
}

describe('README.md', () => {
  let stripe: FakeStripe;
  beforeEach(async () => {
    stripe = await startFakeStripe();
    stripe.addPayment({ id: 'pi_1043', amount: 38_000, currency: 'twd' });
    // All tries under the first key: the SDK repeats by itself.
    stripe.arm({ route: 'create', kind: 'drop-answer', forFirstKey: true });
  });
  afterEach(() => stripe.close());

  test(
    'the ten lines refund twice when the answer is lost, under keys A, A, A, B',
    async () => {
      const env = await begin({ migrated: false });
      project.write('sdk.ts', stripeSdk(stripe));
      project.write(
        'ten-lines.ts',
        `${contentOf(blockWith('README.md', 'async function createRefund'))}
        import Sdk from './sdk.ts';
        Object.assign(globalThis, { stripe: new Sdk('sk_test_1', {}) });
        for (const asked of [1, 2]) console.log(asked, await createRefund({ paymentIntent: 'pi_1043', amount: 19_000 }));`,
      );
      const said = await project.run('ten-lines.ts', env);
      expect(said).toMatch(/^1 Failed to create refund\. Please try again\.\n2 Refund re_\w+ created\.\n$/);
      const { effects, sends } = stripe.report();
      expect(effects).toHaveLength(2);
      const keys = sends.map(({ key }) => key);
      expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
      expect(keys[3]).not.toBe(keys[0]);
    },
    PROGRAM_TIMEOUT_MS,
  );

  test(
    'the smallest tool refunds once when the answer is lost and the model asks again',
    async () => {
      const env = await begin({ migrated: true });
      const tool = blockWith('README.md', 'const refundLineItem = defineOperation');
      project.write('sdk.ts', stripeSdk(stripe));
      project.write(
        'given.ts',
        `import { scriptedModel } from 'sendonce/testing';
        const line = { orderId: '1043', id: 'li_2', paymentIntent: 'pi_1043', amount: 38_000, currency: 'twd' };
        Object.assign(globalThis, {
          secretKey: 'sk_test_1',
          shop: { findLine: async (orderId: string) => (orderId.replace('#', '') === '1043' ? line : undefined) },
          model: scriptedModel(({ results }) => {
            const last = results.at(-1);
            if (last && !last.isError) return { text: last.text };
            const orderId = ['1043', '#1043'][results.length] ?? '';
            return { calls: [{ tool: 'refund_line_item', input: { orderId, lineItemId: 'li_2' } }] };
          }),
        });`,
      );
      project.write(
        'smallest-tool.ts',
        `${tool.code.replace("from 'stripe'", "from './sdk.ts'")}
        import './given.ts';
        console.log(JSON.stringify(reply));
        await sendonce.close();
        await worker.stop();`,
      );
      const reply = (await project.run('smallest-tool.ts', env)).split('\n').find((line) => line.startsWith('{'));
      expect(JSON.parse(reply ?? '')).toMatchObject({
        outcome: 'answered',
        text: expect.stringMatching(/^Already done: refund_line_item, operation refund-1043-li_2, number re_/),
      });
      expect(stripe.report()).toMatchObject({ effects: [{}], sends: [{ key: 'refund-1043-li_2' }] });
    },
    PROGRAM_TIMEOUT_MS,
  );
});

test(
  'docs/getting-started.md: migrated, worked and chatted as the page says → one refund, also for the same message again',
  async () => {
    const env = await begin({ migrated: false });
    writeFilesOf('docs/getting-started.md');
    expect(await project.sendonce(['migrate'], env)).toContain('0001_operations');
    const worker = project.start('worker.ts', env);
    await worker.said('the worker runs');
    const first = await project.run('chat.ts', env);
    expect(first).toMatch(/^Already done: refund_line_item, operation refund-1043-li_2, number re_\w+/);
    expect(await project.run('chat.ts', env)).toBe(first);
    const asks = blockWith('docs/getting-started.md', 'session.say').code;
    project.write('chat-again.ts', asks.replace('message-1', 'message-2'));
    expect(await project.run('chat-again.ts', env)).toBe(first);
    const { rows } = await testDatabase.database.pool.query(
      blockWith('docs/getting-started.md', 'sendonce.operations').code,
    );
    expect(rows).toEqual([
      { operation_id: 'refund-1043-li_2', state: 'confirmed', external_id: /re_\w+/.exec(first)?.[0] },
    ]);
    expect(await project.sendonce(['ops', 'list', '--tenant', 'shop'], env)).toContain('refund-1043-li_2');
    expect(await project.sendonce(['ops', 'show', 'refund-1043-li_2'], env)).toContain('confirmed');
    expect(await worker.interrupt()).toContain('refunds at Stripe: 1\n');
  },
  PROGRAM_TIMEOUT_MS,
);

test(
  'docs/own-worker.md and docs/client.md: the one runs what the other starts, follows, reads and judges',
  async () => {
    const env = await begin({ migrated: true });
    for (const page of ['docs/getting-started.md', 'docs/own-worker.md']) writeFilesOf(page);
    project.write(
      'given.ts',
      `import { scriptedModel, startFakeStripe } from 'sendonce/testing';
      import Stripe from 'stripe';
      import { shopTools } from './tools.ts';
      const { host, port, protocol, ...stripe } = await startFakeStripe();
      stripe.addPayment({ id: 'pi_1043', amount: 38_000, currency: 'twd' });
      const tools = shopTools((config) => new Stripe('sk_test_1', { ...config, host, port, protocol }));
      const calls = [{ tool: 'refund_line_item', input: { orderId: '1043', lineItemId: 'li_2' } }];
      const model = scriptedModel(({ results }) => (results.length === 0 ? { text: 'A moment.', calls } : { text: 'Refunded.' }));
      Object.assign(globalThis, { tools, model });`,
    );
    const ownWorker = contentOf(blockWith('docs/own-worker.md', 'readSettings, sendoncePlugin'));
    project.write('worker.ts', `${ownWorker}\nimport './given.ts';`);
    const [connect = '', ...uses] = BLOCKS.filter(({ page }) => page === 'docs/client.md').map(({ code }) => code);
    project.write(
      'page.ts',
      `import { RedoRefusedError, ResolutionRefusedError, TurnTimeoutError } from 'sendonce/client';
      import Stripe from 'stripe';
      import { shopTools } from './tools.ts';
      // The worker's Stripe is its own: this one is down, and what is asked there is inconclusive.
      const stripe = { host: '127.0.0.1', port: 1, protocol: 'http' } as const;
      const tools = shopTools((config) => new Stripe('sk_test_1', { ...config, ...stripe }));
      Object.assign(globalThis, { requestKey: 'message-1', show: (text: string) => console.log(text) });
      ${connect}
      ${uses.map((code) => `{\n${code}\n}`).join('\n')}`,
    );
    project.start('worker.ts', env);
    const shown = (await project.run('page.ts', env)).split('\n');
    expect(shown.map((line) => line.replace(/^\d{4}-\S+Z /, ''))).toEqual([
      'Refunded.',
      // Followed from its beginning, though it had ended.
      'A moment.',
      'refund_line_item: done',
      'Refunded.',
      'Refunded.',
      'registered',
      'marked',
      'answered',
      'confirmed, now confirmed',
      // It was settled long before somebody would look at it.
      'It is settled already: confirmed. 0 newer events.',
      'refund-1043-req_B: registered',
      // Reconciliation may have sent it by then.
      expect.stringMatching(/^provider stripe\.refunds, paused by ann, [01] waiting$/),
      '',
    ]);
  },
  PROGRAM_TIMEOUT_MS,
);

test(
  'docs/cli.md: its worker answers, and drains at a signal',
  async () => {
    const env = await begin({ migrated: true });
    writeFilesOf('docs/cli.md');
    const [, ...args] = blockWith('docs/cli.md', 'node_modules/.bin/sendonce').code.split(' ');
    project.write(
      'command.ts',
      `process.argv.push(...${JSON.stringify(args)});
      await import('./node_modules/sendonce/dist/cli/main.js');`,
    );
    writeFilesOf('docs/getting-started.md');
    const worker = project.start('command.ts', env);
    expect(await project.run('chat.ts', env)).toBe('Order 1043 of customer-77 is on its way.\n');
    const said = await worker.interrupt();
    expect(said).toContain('Tools: find_order.');
    expect(said).toContain('the worker has stopped.');
  },
  PROGRAM_TIMEOUT_MS,
);

test(
  'docs/own-worker.md: with its data converter, no history holds a word of what a tool or a model threw',
  async () => {
    const env = await begin({ migrated: true });
    writeFilesOf('docs/own-worker.md');
    project.write(
      'given.ts',
      `import type { Payload } from '@temporalio/common';
      const hidden = { encoding: new TextEncoder().encode('binary/hidden') };
      const codec = {
        encode: async (payloads: Payload[]) =>
          payloads.map(({ metadata, data }) => {
            const parts = [metadata?.['encoding'], data].map((part) => Buffer.from(part ?? []).toString('base64'));
            return { metadata: hidden, data: Buffer.from(parts.join('.')) };
          }),
        decode: async (payloads: Payload[]) =>
          payloads.map(({ data }) => {
            const [encoding = '', plain = ''] = Buffer.from(data ?? []).toString().split('.');
            return { metadata: { encoding: Buffer.from(encoding, 'base64') }, data: Buffer.from(plain, 'base64') };
          }),
      };
      Object.assign(globalThis, { codec });`,
    );
    project.write(
      'run.ts',
      `import './given.ts';
      import { defineTool, startWorker } from 'sendonce';
      import { connectClient } from 'sendonce/client';
      import { scriptedModel } from 'sendonce/testing';
      import { z } from 'zod';
      import { dataConverter } from './data-converter.ts';
      let reads = 0;
      const look = defineTool({
        name: 'look',
        description: 'Looks.',
        input: z.object({}),
        run: async () => {
          if (reads++ === 0) throw new Error('secret of the tool', { cause: new Error('secret cause') });
          return 'seen';
        },
      });
      const model = scriptedModel(({ results }) => {
        if (results.length > 0) throw Object.assign(new Error('secret of the model'), { statusCode: 400 });
        return { calls: [{ tool: 'look', input: {} }] };
      });
      const worker = await startWorker({ tools: [look], model, dataConverter });
      const sendonce = await connectClient({ dataConverter });
      const session = sendonce.session({ tenant: 'shop', customer: 'customer-77', sessionId: 'chat-1' });
      console.log('REPLY ' + JSON.stringify(await session.say('Look.', { requestKey: 'message-1' })) + ' ' + reads);
      await sendonce.close();
      await worker.stop();`,
    );
    expect(await project.run('run.ts', env)).toMatch(/^REPLY \{.*"outcome":"failed".*\} 2$/m);
    const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
    const { workflow } = new Client({ connection, namespace: env['TEMPORAL_NAMESPACE'] ?? '' });
    const history = historyText(await workflow.getHandle('turn/shop/chat-1/1').fetchHistory());
    await connection.close();
    expect(history.match(/Encoded failure/g)?.length).toBeGreaterThan(2);
    expect(history).not.toContain('secret');
  },
  PROGRAM_TIMEOUT_MS,
);

describe('docs/writing-a-provider.md', () => {
  let helpdesk: Helpdesk;
  beforeEach(async () => {
    helpdesk = await startHelpdesk();
  });
  afterEach(() => helpdesk.close());

  test.each<{ fault: HelpdeskFault; tells: RegExp; codes: string[]; tickets: number; posts: number }>([
    {
      fault: 'lose-answer',
      tells: /^Already done: .* number ticket_1/,
      codes: ['outcome_unknown', 'already_done'],
      tickets: 1,
      posts: 1,
    },
    {
      fault: 'lose-request',
      tells: /^Done: .* number ticket_1/,
      codes: ['outcome_unknown', 'done'],
      tickets: 1,
      posts: 2,
    },
    { fault: 'turn-away', tells: /^Done: .* number ticket_1/, codes: ['done'], tickets: 1, posts: 2 },
    { fault: 'refuse', tells: /The customer is blocked/, codes: ['rejected'], tickets: 0, posts: 1 },
  ])(
    '$fault → $codes, $tickets tickets',
    async ({ fault, tells, tickets, posts }) => {
      const env = await begin({ migrated: true });
      writeProgram();
      helpdesk.fail(fault);
      expect(await replyTo('shop', env)).toMatch(tells);
      expect(helpdesk.tickets).toHaveLength(tickets);
      expect(helpdesk.posts).toEqual(Array(posts).fill('shop~ticket-1043'));
    },
    PROGRAM_TIMEOUT_MS,
  );

  test.each<{ fault: HelpdeskFault; tells: RegExp; posts: number }>([
    { fault: 'lose-answer', tells: /^Already done: .* number ticket_2/, posts: 1 },
    { fault: 'lose-request', tells: /^Done: .* number ticket_2/, posts: 2 },
  ])(
    '$fault, and another tenant has a ticket of the same operation ID → that one is not taken for ours',
    async ({ fault, tells, posts }) => {
      const env = await begin({ migrated: true });
      writeProgram();
      expect(await replyTo('other-shop', env)).toMatch(/^Done: .* number ticket_1/);
      helpdesk.fail(fault);
      expect(await replyTo('shop', env)).toMatch(tells);
      expect(helpdesk.tickets.map(({ op_key }) => op_key)).toEqual(['other-shop~ticket-1043', 'shop~ticket-1043']);
      expect(helpdesk.posts).toEqual(['other-shop~ticket-1043', ...Array(posts).fill('shop~ticket-1043')]);
    },
    PROGRAM_TIMEOUT_MS,
  );

  function writeProgram(): void {
    writeFilesOf('docs/writing-a-provider.md');
    project.write(
      'run.ts',
      `import { startWorker } from 'sendonce';
      import { connectClient } from 'sendonce/client';
      import { scriptedModel } from 'sendonce/testing';
      import { openTicket } from './open-ticket.ts';
      const model = scriptedModel(({ results }) => {
        const last = results.at(-1);
        if (last && !/^Outcome unknown/.test(last.text)) return { text: last.text };
        const subject = 'Where is it? ' + results.length;
        return { calls: [{ tool: 'open_ticket', input: { orderId: '1043', subject } }] };
      });
      const worker = await startWorker({ tools: [openTicket('${helpdesk.url}')], model });
      const sendonce = await connectClient();
      const session = sendonce.session({ tenant: process.env.TENANT ?? '', customer: 'customer-77', sessionId: 'chat-1' });
      console.log('REPLY ' + (await session.say('Open a ticket.', { requestKey: 'message-1' })).text);
      await sendonce.close();
      await worker.stop();`,
    );
  }

  async function replyTo(tenant: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
    return /^REPLY (.*)$/m.exec(await project.run('run.ts', { ...env, TENANT: tenant }))?.[1];
  }
});
