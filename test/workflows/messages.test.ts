// Needs Postgres and Temporal.

import { openSession } from '../../src/conversations/sessions';
import { addMessage } from '../../src/conversations/turns';
import type { Script } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { createNamespace } from '../support/own-namespace';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };

/** Whether Temporal knows that the session has something to do. */
async function isStarted(rig: Rig): Promise<boolean> {
  const handle = rig.temporal.workflow.getHandle(`session/${rig.tenant}/chat-1`);
  return handle.describe().then(
    () => true,
    () => false,
  );
}

describe('the same request key', () => {
  test('twice → one turn, the same reply, nothing asked or sent again', async () => {
    const provider = new CountingProvider();
    let asked = 0;
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: (view) => {
        asked++;
        return payAnna(view);
      },
    });
    const first = await rig.say('Pay Anna.', { requestKey: 'key-1' });
    const second = await rig.say('Pay Anna.', { requestKey: 'key-1' });
    expect(second).toEqual(first);
    expect(asked).toBe(2);
    expect(await rig.transcript()).toHaveLength(1);
  });

  test('at the same moment, from two clients, ten times → one turn', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const other = await rig.connect();
    const session = other.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? rig.say('Pay Anna.', { requestKey: 'key-1' })
          : session.say('Pay Anna.', { requestKey: 'key-1' }),
      ),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await rig.transcript()).toHaveLength(1);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('after Temporal has forgotten the workflow → the reply is read, no turn is run', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const first = await rig.say('Pay Anna.', { requestKey: 'key-1' });
    // In another namespace Temporal knows nothing of it, and a turn that was started there would never end.
    const namespace = await createNamespace();
    const elsewhere = { ...rig.settings, temporal: { ...rig.settings.temporal, namespace } };
    const client = await rig.connect({ settings: elsewhere });
    const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    expect(await session.say('Pay Anna.', { requestKey: 'key-1' })).toEqual(first);
  });

  test('for another text → refused, and the first turn is untouched', async () => {
    const rig = await rigs.start({ model: () => ({ text: 'Hello.' }) });
    await rig.say('Hello.', { requestKey: 'key-1' });
    await expect(rig.say('Good bye.', { requestKey: 'key-1' })).rejects.toMatchObject({
      code: 'SENDONCE_REQUEST_KEY_CONFLICT',
    });
    expect(await rig.transcript()).toHaveLength(1);
  });

  test('in another session → another turn, the same operation: one payout', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    await Promise.all(
      ['chat-a', 'chat-b'].map((sessionId) => rig.say('Pay Anna.', { requestKey: 'key-1', sessionId })),
    );
    expect(provider.sends).toEqual(['payout-anna']);
  });
});

describe('a message', () => {
  test('stored by a client that died before it started the turn → said again, it is answered', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const session = { tenant: rig.tenant, sessionId: 'chat-1' };
    await openSession(rig.database, { ...session, customer: 'customer-77' });
    await addMessage(rig.database, { ...session, requestKey: 'key-1', text: 'Pay Anna.' });
    expect(await rig.say('Pay Anna.', { requestKey: 'key-1' })).toMatchObject({ text: 'Paid.', outcome: 'answered' });
    expect(await rig.transcript()).toHaveLength(1);
  });

  test('said again while its turn runs, by another client → both get that turn’s reply', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const other = await rig.connect();
    const session = other.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    const first = session.say('Pay Anna.', { requestKey: 'key-1' });
    await gate.reached;
    const again = rig.say('Pay Anna.', { requestKey: 'key-1' });
    gate.open();
    expect(await again).toEqual(await first);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('whose client closes while its turn runs → its waiting ends; said again, it gets that turn’s reply', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const closing = await rig.connect();
    const session = closing.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    const waiting = session.say('Pay Anna.', { requestKey: 'key-1' });
    const ended = expect(waiting).rejects.toThrow();
    await gate.reached;
    await closing.close();
    await ended;
    const again = rig.say('Pay Anna.', { requestKey: 'key-1' });
    gate.open();
    expect(await again).toMatchObject({ text: 'Paid.', outcome: 'answered' });
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('said while no worker runs → answered when one does', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna, worker: false });
    const saying = rig.say('Pay Anna.');
    await until(() => isStarted(rig));
    await rig.startWorker();
    expect(await saying).toMatchObject({ text: 'Paid.', outcome: 'answered' });
  });

  test('whose turn an operator terminates → said again, it says that it failed; what was sent stays the ledger’s', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({
      recordAs: 'terminated',
      tools: [payOut(provider)],
      model: payAnna,
    });
    const saying = rig.say('Pay Anna.', { requestKey: 'key-1' });
    await gate.reached;
    await rig.temporal.workflow.getHandle(`turn/${rig.tenant}/chat-1/1`).terminate();
    gate.open();
    const reply = await saying;
    expect(reply).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/being taken care of/) });
    expect(await rig.say('Pay Anna.', { requestKey: 'key-1' })).toEqual(reply);
    await until(async () => (await rig.operation('payout-anna'))?.state === 'confirmed');
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('of many at once in one session → each is a turn of its own with its own reply', async () => {
    const rig = await rigs.start({ model: ({ said }) => ({ text: `${said.length}: ${said.at(-1)}` }) });
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => rig.say(text)));
    expect(replies.map(({ text }) => text.slice(-1))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await rig.transcript()).map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5]);
  });

  test('to somebody else’s session → refused before anything is stored', async () => {
    const rig = await rigs.start({ model: () => ({ text: 'Hello.' }) });
    await rig.say('Hello.');
    const client = await rig.connect();
    const session = client.session({ tenant: rig.tenant, customer: 'customer-88', sessionId: 'chat-1' });
    await expect(session.say('Hello.', { requestKey: 'key-1' })).rejects.toMatchObject({
      code: 'SENDONCE_SESSION_TAKEN',
    });
    expect(await rig.transcript()).toHaveLength(1);
  });
});
