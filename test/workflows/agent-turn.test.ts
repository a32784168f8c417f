// Needs Postgres and Temporal.
import { readLedgerId } from '../../src/ledger/ledger-id';
import { CountingProvider } from '../support/counting-provider';
import { activityResults, eventTypes, historyText, payloadBytes, scheduledActivities } from '../support/history';
import { payOut, readAccount } from '../support/payout-tools';
import { promptsOf } from '../support/prompts';
import { turnRigs } from '../support/turn-rig';

const rigs = turnRigs();

describe('one turn', () => {
  test('a model that only speaks → its words are the reply, and no tool is called', async () => {
    const rig = await rigs.start({ model: ({ said }) => ({ text: `You said: ${said.join()}` }) });
    const reply = await rig.say('Hello.');
    expect(reply).toEqual({ text: 'You said: Hello.', outcome: 'answered', workflowId: `turn/${rig.tenant}/chat-1/1` });
    expect(scheduledActivities(await rig.history(reply.workflowId)).map(({ type }) => type)).toEqual([
      'sendonce.callModel',
    ]);
  });

  test('the calls of a step run side by side, and the model gets their results in its own order', async () => {
    const provider = new CountingProvider();
    const anna = provider.holdBeforeSend('anna');
    const bob = provider.holdBeforeSend('bob');
    const rig = await rigs.start({
      tools: [payOut(provider), readAccount()],
      model: ({ results }) =>
        results.length === 0
          ? {
              calls: [
                { tool: 'pay_out', input: { to: 'anna' } },
                { tool: 'read_account', input: { of: 'carol' } },
                { tool: 'pay_out', input: { to: 'bob' } },
              ],
            }
          : { text: results.map(({ text }) => /payout-\w+|carol/.exec(text)?.[0]).join(', ') },
    });
    const saying = rig.say('Pay Anna and Bob.');
    await Promise.all([anna.reached, bob.reached]);
    bob.open();
    anna.open();
    expect(await saying).toMatchObject({ text: 'payout-anna, carol, payout-bob', outcome: 'answered' });
    expect(provider.effects.map(({ to }) => to).sort()).toEqual(['anna', 'bob']);
  });

  test('two identical calls in one step → one operation, one send, both told the same number', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: ({ results }) =>
        results.length === 0
          ? { calls: [0, 1].map(() => ({ tool: 'pay_out', input: { to: 'anna' } })) }
          : { text: results.map(({ text }) => /^[\w ]+|po_\d+/.exec(text)?.[0]).join(', ') },
    });
    const { text } = await rig.say('Pay Anna.');
    expect(text.split(', ').sort()).toEqual(['Already done', 'Done']);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('a call that is refused when it is planned is never scheduled, and the model hears why', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      recordAs: 'refused-calls',
      tools: [payOut(provider)],
      model: ({ results }) =>
        results.length === 0
          ? {
              calls: [
                { tool: 'pay_out', input: { amount: 5 } },
                { tool: 'pay_in', input: {} },
              ],
            }
          : { text: results.map(({ text, isError }) => `${isError}: ${text}`).join('\n') },
    });
    const reply = await rig.say('Pay.');
    expect(reply.text).toContain('true: The arguments of pay_out are not valid.');
    expect(reply.text).toContain('There is no tool "pay_in".');
    expect(scheduledActivities(await rig.history(reply.workflowId)).map(({ type }) => type)).toEqual([
      'sendonce.callModel',
      'sendonce.callModel',
    ]);
  });

  test('a model that never stops → step_limit: the customer is told, every call keeps its result', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      recordAs: 'step-limit',
      tools: [payOut(provider)],
      model: ({ results, said }) =>
        said.length > 1
          ? { text: 'Three were paid.' }
          : { calls: [{ tool: 'pay_out', input: { to: `payee-${results.length + 1}` } }] },
      maxSteps: 3,
    });
    const reply = await rig.say('Pay everybody.');
    expect(reply).toMatchObject({
      outcome: 'step_limit',
      text: expect.stringMatching(/taken care of, and you will hear about it/),
    });
    expect(provider.effects.map(({ to }) => to)).toEqual(['payee-1', 'payee-2', 'payee-3']);
    const [turn] = await rig.transcript();
    expect(turn?.steps.map(({ results }) => results.map(({ reply: { code } }) => code))).toEqual([
      ['done'],
      ['done'],
      ['done'],
    ]);
    // The next turn goes on from there.
    expect(await rig.say('And?')).toMatchObject({ outcome: 'answered', text: 'Three were paid.' });
  });
});

describe('turns of one session', () => {
  test('the next turn sees what was said, called and told before, the words of a step limit included', async () => {
    const provider = new CountingProvider();
    const model = promptsOf(({ said, results }) =>
      said.length === 1 || results.length === 0
        ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
        : { text: 'It is paid.' },
    );
    const rig = await rigs.start({ tools: [payOut(provider)], model: model.model, maxSteps: 1 });
    const first = await rig.say('Pay Anna.');
    const second = await rig.say('Is it paid?');
    expect([first.outcome, second.outcome]).toEqual(['step_limit', 'answered']);
    expect(model.prompts.at(-1)).toEqual([
      { role: 'user', text: 'Pay Anna.' },
      { role: 'assistant', text: 'call pay_out' },
      { role: 'tool', text: expect.stringMatching(/^Done: pay_out, operation payout-anna, number po_1/) },
      { role: 'assistant', text: first.text },
      { role: 'user', text: 'Is it paid?' },
    ]);
  });

  test('sessions run side by side and know nothing of each other', async () => {
    const model = promptsOf(({ said }) => ({ text: said.join('|') }));
    const rig = await rigs.start({ model: model.model });
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((name) => rig.say(`I am ${name}.`, { sessionId: `chat-${name}` })),
    );
    expect(replies.map(({ text }) => text)).toEqual(['I am a.', 'I am b.', 'I am c.']);
  });
});

describe('the history of a turn', () => {
  const MARK = 'zq7';

  test('activity types are tool names, summaries operation IDs, inputs and results references and codes', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      tools: [payOut(provider), readAccount()],
      model: ({ results }) =>
        results.length === 0
          ? {
              calls: [
                { tool: 'pay_out', input: { to: 'anna' } },
                { tool: 'read_account', input: { of: 'anna' } },
              ],
            }
          : { text: 'Paid.' },
    });
    const { workflowId } = await rig.say('Pay Anna.');
    const history = await rig.history(workflowId);
    const ledger = await readLedgerId(rig.database);
    const step = { tenant: rig.tenant, sessionId: 'chat-1', turn: 1, ledger };
    expect(scheduledActivities(history)).toEqual([
      { type: 'sendonce.callModel', summary: 'step 1', input: { ...step, step: 1 } },
      { type: 'pay_out', summary: 'payout-anna', input: { ...step, step: 1, position: 0 } },
      { type: 'read_account', summary: 'step 1, call 2', input: { ...step, step: 1, position: 1 } },
      { type: 'sendonce.callModel', summary: 'step 2', input: { ...step, step: 2 } },
    ]);
    expect(activityResults(history, 'pay_out')).toEqual([
      { code: 'done', operationId: 'payout-anna', externalId: 'po_1' },
    ]);
    expect(activityResults(history, 'read_account')).toEqual([{ code: 'done', operationId: null, externalId: null }]);
    expect(eventTypes(history).at(-1)).toBe('WorkflowExecutionCompleted');
  });

  test('holds no message, no arguments, no reply and no result', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      tools: [payOut(provider), readAccount((of) => ({ of, secret: `${MARK} balance` }))],
      model: ({ results }) =>
        results.length === 0
          ? {
              text: `${MARK} let me see`,
              calls: [
                { tool: 'pay_out', input: { to: 'anna', note: `${MARK} note` } },
                { tool: 'read_account', input: { of: `${MARK} account` } },
                { tool: 'pay_out', input: { to: 7, note: `${MARK} wrong` } },
              ],
            }
          : { text: `${MARK} paid` },
    });
    const reply = await rig.say(`${MARK} please pay Anna`);
    expect(reply.text).toBe(`${MARK} paid`);
    const text = historyText(await rig.history(reply.workflowId));
    expect(text).toContain('payout-anna');
    expect(text).not.toContain(MARK);
  });

  test('grows by the same few bytes with each step, however long the conversation is', async () => {
    const rig = await rigs.start({
      tools: [payOut(new CountingProvider())],
      model: ({ results, said }) => {
        const done = results.filter(({ turn }) => turn === said.length).length;
        return done < Number(said.at(-1))
          ? { calls: [{ tool: 'pay_out', input: { to: `payee-${said.length}-${done}`, note: 'x'.repeat(10_000) } }] }
          : { text: 'y'.repeat(10_000) };
      },
    });
    const bytes: number[] = [];
    for (const steps of ['1', '2', '3']) {
      const { workflowId } = await rig.say(steps);
      bytes.push(payloadBytes(await rig.history(workflowId)));
    }
    const [one = 0, two = 0, three = 0] = bytes;
    expect(three - two).toBe(two - one);
    // About 600 for a turn with one operation, and 400 more for each step with another one.
    expect(one).toBeLessThan(800);
    expect(two - one).toBeLessThan(500);
  });
});
