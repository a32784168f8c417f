// Needs Postgres and Temporal.
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { buildDemo } from '../support/demo-command';
import { type Helpdesk, type HelpdeskFault, startHelpdesk } from '../support/helpdesk';
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
    const ownWorker = contentOf(blockWith('docs/own-worker.md', 'sendoncePlugin'));
    project.write('worker.ts', `${ownWorker}\nimport './given.ts';`);
    const [connect = '', ...uses] = BLOCKS.filter(({ page }) => page === 'docs/client.md').map(({ code }) => code);
    project.write(
      'page.ts',
      `import { ResolutionRefusedError, TurnTimeoutError } from 'sendonce/client';
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
      // It was settled long before somebody would look at it.
      'It is settled already: confirmed. 0 newer events.',
      '',
    ]);
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
      writeFilesOf('docs/writing-a-provider.md');
      helpdesk.fail(fault);
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
        const session = sendonce.session({ tenant: 'shop', customer: 'customer-77', sessionId: 'chat-1' });
        console.log('REPLY ' + (await session.say('Open a ticket.', { requestKey: 'message-1' })).text);
        await sendonce.close();
        await worker.stop();`,
      );
      const said = await project.run('run.ts', env);
      expect(/^REPLY (.*)$/m.exec(said)?.[1]).toMatch(tells);
      expect(helpdesk.tickets).toHaveLength(tickets);
      expect(helpdesk.posts).toEqual(Array(posts).fill('shop~ticket-1043'));
    },
    PROGRAM_TIMEOUT_MS,
  );
});
