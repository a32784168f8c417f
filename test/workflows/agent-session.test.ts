// Needs Postgres and Temporal.

import { openSession } from '../../src/conversations/sessions';
import { addMessage } from '../../src/conversations/turns';
import { readLedgerId } from '../../src/ledger/ledger-id';
import type { Script } from '../../src/testing/scripted-model';
import { wakeSession } from '../../src/wake-session';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import { eventTypes, scheduledActivities } from '../support/history';
import { payOut } from '../support/payout-tools';
import { promptsOf } from '../support/prompts';
import { fetchRuns } from '../support/replay';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };

const echo: Script = ({ said }) => ({ text: `${said.at(-1)}` });

const keyOf = (text: string) => `key-${text.replaceAll(/\W/g, '-')}`;

async function store(rig: Rig, sessionId: string, texts: readonly string[]): Promise<void> {
  const session = { tenant: rig.tenant, sessionId };
  await openSession(rig.database, { ...session, customer: 'customer-77', taskQueue: rig.taskQueue, maxSteps: 12 });
  for (const text of texts) await addMessage(rig.database, { ...session, requestKey: keyOf(text), text });
}

async function wake(rig: Rig, sessionId = 'chat-1', turnsPerRun?: number): Promise<void> {
  await wakeSession(rig.temporal, {
    ...{ tenant: rig.tenant, sessionId, taskQueue: rig.taskQueue, maxSteps: 12, searchAttributes: false },
    ledger: await readLedgerId(rig.database),
    ...(turnsPerRun === undefined ? {} : { turnsPerRun }),
  });
}

const sessionOf = (rig: Rig, sessionId = 'chat-1') =>
  rig.temporal.workflow.getHandle(`session/${rig.tenant}/${sessionId}`);

async function statusOf(rig: Rig, sessionId?: string): Promise<string> {
  return (await sessionOf(rig, sessionId).describe()).status.name;
}

async function quiet(rig: Rig): Promise<void> {
  await until(async () => (await statusOf(rig)) === 'COMPLETED');
}

/** When all of the session's turns have ended: text and reply, in order. */
async function told(rig: Rig, sessionId: string, count: number): Promise<readonly (string | null)[]> {
  await until(async () => {
    const turns = await rig.transcript(sessionId);
    return turns.length === count && turns.every(({ outcome }) => outcome !== null);
  });
  return (await rig.transcript(sessionId)).map(({ reply }) => reply);
}

describe('a session', () => {
  test('runs its turns as workflows of their own, and ends when nothing is left', async () => {
    const rig = await rigs.start({
      recordSessionAs: 'session',
      tools: [payOut(new CountingProvider())],
      model: payAnna,
    });
    const { workflowId } = await rig.say('Pay Anna.');
    await quiet(rig);
    const history = await rig.history(`session/${rig.tenant}/chat-1`);
    // The looks are local activities: no event of theirs but a marker each.
    expect(scheduledActivities(history)).toEqual([]);
    expect(eventTypes(history).filter((type) => type === 'MarkerRecorded')).toHaveLength(2);
    expect(eventTypes(history)).toContain('ChildWorkflowExecutionCompleted');
    expect((await rig.temporal.workflow.getHandle(workflowId).describe()).status.name).toBe('COMPLETED');
  });

  test('of two messages at once the second waits, and its model sees what became of the first one’s call', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const model = promptsOf(({ said, results }) =>
      results.length === 0
        ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
        : { text: `Answer ${said.length}.` },
    );
    const rig = await rigs.start({ tools: [payOut(provider)], model: model.model });
    const first = rig.say('Pay Anna.');
    await gate.reached;
    const client = await rig.connect();
    const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    const second = await session.start('Is it paid?', { requestKey: 'second' });
    const waiting = second.result();
    await wake(rig);
    expect((await rig.transcript())[1]).toMatchObject({ steps: [], outcome: null });
    gate.open();
    expect([(await first).text, (await waiting).text]).toEqual(['Answer 1.', 'Answer 2.']);
    expect(model.prompts.at(-1)).toEqual([
      { role: 'user', text: 'Pay Anna.' },
      { role: 'assistant', text: 'call pay_out' },
      { role: 'tool', text: expect.stringMatching(/^Done: pay_out, operation payout-anna/) },
      { role: 'assistant', text: 'Answer 1.' },
      { role: 'user', text: 'Is it paid?' },
    ]);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('whose turn is terminated → that turn’s row is ended by it, without a client that waits, and the next one runs', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({
      recordSessionAs: 'session-terminated-turn',
      tools: [payOut(provider)],
      model: ({ said }) =>
        said.length === 1 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Yes?' },
    });
    await store(rig, 'chat-1', ['Pay Anna.', 'Hello?']);
    await wake(rig);
    await gate.reached;
    await rig.temporal.workflow.getHandle(`turn/${rig.tenant}/chat-1/1`).terminate();
    gate.open();
    expect(await told(rig, 'chat-1', 2)).toEqual([expect.stringMatching(/taken care of/), 'Yes?']);
    expect((await rig.transcript()).map(({ outcome }) => outcome)).toEqual(['failed', 'answered']);
    await quiet(rig);
  });

  test('that is terminated → its turn goes on; a message begins it again and waits for that turn, which runs once', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({
      recordSessionAs: 'session-begun-turn',
      tools: [payOut(provider)],
      model: ({ said, results }) =>
        results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: `${said.length}` },
    });
    const first = rig.say('Pay Anna.');
    await gate.reached;
    await sessionOf(rig).terminate();
    const second = rig.say('And?');
    await until(async () => scheduledActivities(await rig.history(`session/${rig.tenant}/chat-1`)).length > 0);
    expect((await rig.transcript())[1]).toMatchObject({ steps: [], outcome: null });
    gate.open();
    expect([(await first).text, (await second).text]).toEqual(['1', '2']);
    await quiet(rig);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('that is terminated with its turn → the next message ends the lost turn and runs its own', async () => {
    const gate = new Gate();
    const rig = await rigs.start({
      model: async (view) => {
        if (view.said.length === 1) await gate.pass();
        return echo(view);
      },
    });
    await store(rig, 'chat-1', ['Hello?']);
    await wake(rig);
    await gate.reached;
    await sessionOf(rig).terminate();
    await rig.temporal.workflow.getHandle(`turn/${rig.tenant}/chat-1/1`).terminate();
    expect((await rig.say('And now?')).text).toBe('And now?');
    expect((await rig.transcript())[0]).toMatchObject({ outcome: 'failed' });
    gate.open();
  });

  test('that was looked at by ten at once, and woken a hundred times, runs each turn once', async () => {
    const asked: string[] = [];
    const rig = await rigs.start({
      model: (view) => {
        asked.push(`${view.said.at(-1)}`);
        return echo(view);
      },
    });
    await store(rig, 'chat-1', ['a', 'b', 'c']);
    await Promise.all(Array.from({ length: 100 }, () => wake(rig)));
    expect(await told(rig, 'chat-1', 3)).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  test('that continues as new after each turn loses no message and runs none twice; a key is one turn throughout', async () => {
    const asked: string[] = [];
    const rig = await rigs.start({
      recordSessionAs: 'session-continued',
      model: (view) => {
        asked.push(`${view.said.at(-1)}`);
        return echo(view);
      },
    });
    const texts = Array.from({ length: 6 }, (_, index) => `m${index}`);
    await store(rig, 'chat-1', texts);
    await wake(rig, 'chat-1', 1);
    const client = await rig.connect();
    const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    const again = texts.map((text) => session.say(text, { requestKey: keyOf(text) }));
    expect((await Promise.all(again)).map(({ text }) => text)).toEqual(texts);
    expect(asked).toEqual(texts);
    expect(await rig.transcript()).toHaveLength(6);
    await quiet(rig);
    expect((await fetchRuns(rig.temporal, `session/${rig.tenant}/chat-1`)).length).toBeGreaterThan(3);
  });

  test('whose message comes while it ends is begun again', async () => {
    const rig = await rigs.start({ model: echo });
    for (let index = 0; index < 15; index++) expect((await rig.say(`${index}`)).text).toBe(`${index}`);
    expect(await rig.transcript()).toHaveLength(15);
  });

  test('runs many at once beside others, with continue-as-new after two turns: none lost, none twice, all in order', async () => {
    const [sessions, messages] = [10, 5];
    const asked = new Map<string, number>();
    const rig = await rigs.start({
      model: ({ said }) => {
        const text = `${said.at(-1)}`;
        asked.set(text, (asked.get(text) ?? 0) + 1);
        return { text };
      },
    });
    const ids = Array.from({ length: sessions }, (_, index) => `chat-${index}`);
    await Promise.all(
      ids.map(async (sessionId) => {
        for (let index = 0; index < messages; index++) {
          await store(rig, sessionId, [`${sessionId}:${index}`]);
          await wake(rig, sessionId, 2);
        }
      }),
    );
    for (const sessionId of ids) {
      const texts = Array.from({ length: messages }, (_, index) => `${sessionId}:${index}`);
      expect(await told(rig, sessionId, messages)).toEqual(texts);
    }
    expect([...asked.values()].filter((count) => count !== 1)).toEqual([]);
    expect(asked.size).toBe(sessions * messages);
  }, 120_000);
});
