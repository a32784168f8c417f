// Needs Postgres and Temporal.
import type { Session } from '../../src/client/session';
import type { TurnUpdate } from '../../src/client/turn-update';
import type { Script } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { FaultyWire } from '../support/faulty-wire';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0
    ? { text: 'One moment.', calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
    : { text: 'Paid.' };

async function sessionOf(rig: Rig, change?: Parameters<Rig['connect']>[0]): Promise<Session> {
  const client = await rig.connect(change);
  return client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
}

async function errorOf(waiting: Promise<unknown>): Promise<{ readonly code: unknown; readonly message: string }> {
  try {
    await waiting;
  } catch (error) {
    if (error instanceof Error) return { code: Reflect.get(error, 'code'), message: error.message };
  }
  throw new Error('No error was thrown.');
}

describe('a turn that is started', () => {
  test('gives its handle at once, while it runs; its result comes when it has ended', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const turn = await (await sessionOf(rig)).start('Pay Anna.', { requestKey: 'key-1' });
    expect({ workflowId: turn.workflowId, turn: turn.turn }).toEqual({
      workflowId: `turn/${rig.tenant}/chat-1/1`,
      turn: 1,
    });
    await gate.reached;
    gate.open();
    expect(await turn.result()).toEqual({ text: 'Paid.', outcome: 'answered', workflowId: turn.workflowId });
  });

  test('twice under one request key → the same turn; under another → the next', async () => {
    const rig = await rigs.start({ model: () => ({ text: 'Hello.' }) });
    const session = await sessionOf(rig);
    const turns = [
      await session.start('Hello.', { requestKey: 'key-1' }),
      await session.start('Hello.', { requestKey: 'key-1' }),
      await session.start('Hello.', { requestKey: 'key-2' }),
    ];
    expect(turns.map(({ turn }) => turn)).toEqual([1, 1, 2]);
    await Promise.all(turns.map((turn) => turn.result()));
  });

  test('a wait that is over is no failure of the turn: the same handle waits on, and the payout is made once', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const turn = await (await sessionOf(rig)).start('Pay Anna.', { requestKey: 'key-1' });
    await gate.reached;
    expect(await errorOf(turn.result({ timeoutMs: 50 }))).toEqual({
      code: 'SENDONCE_TURN_TIMEOUT',
      message: `The turn ${turn.workflowId} has not ended within 50 ms. It goes on; only the wait is over.`,
    });
    gate.open();
    expect(await turn.result({ timeoutMs: 25_000 })).toMatchObject({ text: 'Paid.', outcome: 'answered' });
    expect(provider.effects).toHaveLength(1);
  });

  test('`say` waits no longer than it was told, too', async () => {
    const rig = await rigs.start({ model: payAnna, worker: false });
    const saying = (await sessionOf(rig)).say('Hello.', { requestKey: 'key-1', timeoutMs: 50 });
    expect((await errorOf(saying)).code).toBe('SENDONCE_TURN_TIMEOUT');
    await rig.temporal.workflow.getHandle(`session/${rig.tenant}/chat-1`).terminate();
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'timeoutMs %p → refused before anything is stored',
    async (timeoutMs) => {
      const rig = await rigs.start({ model: payAnna, worker: false });
      const session = await sessionOf(rig);
      await expect(session.say('Hello.', { requestKey: 'key-1', timeoutMs })).rejects.toThrow(/^timeoutMs must be/);
      expect(await rig.transcript()).toEqual([]);
    },
  );

  test('a client that closes ends its waits and says that the turn goes on', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const client = await rig.connect();
    const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    const turn = await session.start('Pay Anna.', { requestKey: 'key-1' });
    const waiting = errorOf(turn.result());
    await gate.reached;
    await client.close();
    expect((await waiting).code).toBe('SENDONCE_CLIENT_CLOSED');
    gate.open();
    expect((await rig.say('Pay Anna.', { requestKey: 'key-1' })).text).toBe('Paid.');
  });

  test('a closed client that is asked again says so; closing again does nothing', async () => {
    const rig = await rigs.start({ model: payAnna, worker: false });
    const client = await rig.connect();
    const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    await Promise.all([client.close(), client.close()]);
    for (const asking of [
      session.start('Hello.', { requestKey: 'key-1' }),
      client.operations.list(),
      client.operations.get({ tenant: rig.tenant, operationId: 'payout-anna' }),
    ]) {
      expect((await errorOf(asking)).code).toBe('SENDONCE_CLIENT_CLOSED');
    }
    await client.close();
  });

  test('the database was emptied beside an older Temporal → says that the record is lost, not that nothing was done', async () => {
    const rig = await rigs.start({ model: () => ({ text: 'Hello.' }), worker: false });
    const worker = await rig.startWorker();
    const session = await sessionOf(rig);
    await session.say('Hello.', { requestKey: 'key-1' });
    await worker.stop();
    await rig.database.pool.query('update sendonce.turns set outcome = null, reply = null, ended_at = null');
    expect((await errorOf(session.say('Hello.', { requestKey: 'key-1' }))).code).toBe('SENDONCE_TURN_RECORD_LOST');
    // The session goes on all the same.
    await rig.startWorker();
    expect((await session.say('And now?', { requestKey: 'key-2' })).text).toBe('Hello.');
    expect((await rig.transcript())[0]).toMatchObject({ outcome: 'failed' });
  });
});

describe('servers out of reach', () => {
  const wires: FaultyWire[] = [];
  afterEach(async () => {
    for (const wire of wires.splice(0)) await wire.close();
  });
  const wireTo = async (host: string, port: number) => {
    const wire = await FaultyWire.to(host, port);
    wires.push(wire);
    return wire;
  };

  test('Temporal → TemporalUnreachableError; the message is kept, and said again it is answered', async () => {
    const rig = await rigs.start({ model: () => ({ text: 'Hello.' }) });
    const [host = '', port = ''] = rig.settings.temporal.connection.address.split(':');
    const wire = await wireTo(host, Number(port));
    const connection = { address: `127.0.0.1:${wire.port}` };
    const session = await sessionOf(rig, {
      settings: { ...rig.settings, temporal: { ...rig.settings.temporal, connection } },
    });
    wire.cut();
    expect(await errorOf(session.start('Hello.', { requestKey: 'key-1' }))).toMatchObject({
      code: 'SENDONCE_TEMPORAL_UNREACHABLE',
      message: expect.stringContaining(connection.address),
    });
    wire.mend();
    // Nobody waits for longer than ten seconds, and the connection, which waits ever longer, may come back after that.
    const again = () => session.say('Hello.', { requestKey: 'key-1' });
    const reply = await again().catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'SENDONCE_TEMPORAL_UNREACHABLE' });
      return again();
    });
    expect(reply.text).toBe('Hello.');
    expect(await rig.transcript()).toHaveLength(1);
  });

  test('Postgres → DatabaseUnreachableError, which names the server and not the password', async () => {
    const rig = await rigs.start({ model: () => ({ text: 'Hello.' }) });
    const url = new URL(rig.settings.database.url);
    const wire = await wireTo(url.hostname, Number(url.port));
    url.port = String(wire.port);
    const client = await rig.connect({ settings: { ...rig.settings, database: { url: url.href } } });
    const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    wire.cut();
    for (const asking of [
      session.start('Hello.', { requestKey: 'key-1' }),
      client.operations.list(),
      client.operations.get({ tenant: rig.tenant, operationId: 'payout-anna' }),
    ]) {
      const { code, message } = await errorOf(asking);
      expect(code).toBe('SENDONCE_DATABASE_UNREACHABLE');
      expect(message).toContain(`127.0.0.1:${wire.port}`);
      expect(message).not.toContain(url.password || 'password');
    }
  });
});

describe('progress', () => {
  test('tells message, answer, result and end once each, in their order', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const turn = await (await sessionOf(rig)).start('Pay Anna.', { requestKey: 'key-1' });
    const updates: TurnUpdate[] = [];
    for await (const update of turn.progress({ everyMs: 10 })) updates.push(update);
    expect(updates.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'said said',
      '1 answered',
      '1/0 call',
      '2 answered',
      'ended ended',
    ]);
    expect(updates[1]).toMatchObject({
      text: 'One moment.',
      calls: [{ position: 0, tool: 'pay_out', input: { to: 'anna' } }],
    });
    expect(updates[2]).toMatchObject({ tool: 'pay_out', reply: { code: 'done', operationId: 'payout-anna' } });
    expect(updates[4]).toMatchObject({ outcome: 'answered', text: 'Paid.' });
    expect([...updates].sort((one, other) => one.at - other.at)).toEqual(updates);
  });

  test('comes while the turn runs, and for a second reader from its beginning', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const turn = await (await sessionOf(rig)).start('Pay Anna.', { requestKey: 'key-1' });
    const first: string[] = [];
    const following = (async () => {
      for await (const { id } of turn.progress({ everyMs: 10 })) first.push(id);
    })();
    await gate.reached;
    await until(() => first.includes('1'));
    expect(first).toEqual(['said', '1']);
    gate.open();
    await following;
    const second: string[] = [];
    for await (const { id } of turn.progress()) second.push(id);
    expect(second).toEqual(first);
  });

  test('is left early without waiting for the turn', async () => {
    const rig = await rigs.start({ model: payAnna, worker: false });
    const turn = await (await sessionOf(rig)).start('Pay Anna.', { requestKey: 'key-1' });
    for await (const update of turn.progress({ everyMs: 10 })) {
      expect(update.kind).toBe('said');
      break;
    }
    await rig.temporal.workflow.getHandle(`session/${rig.tenant}/chat-1`).terminate();
  });

  test('of a client that is closed meanwhile → ends at once with ClientClosedError', async () => {
    const rig = await rigs.start({ model: payAnna, worker: false });
    const client = await rig.connect();
    const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-1' });
    const turn = await session.start('Pay Anna.', { requestKey: 'key-1' });
    const seen: string[] = [];
    const following = (async () => {
      for await (const { id } of turn.progress({ everyMs: 10 })) seen.push(id);
    })();
    await until(() => seen.length === 1);
    const error = errorOf(following);
    await client.close();
    expect((await error).code).toBe('SENDONCE_CLIENT_CLOSED');
    await rig.temporal.workflow.getHandle(`session/${rig.tenant}/chat-1`).terminate();
  });

  test('of a turn that is terminated → ends with its last word', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const turn = await (await sessionOf(rig)).start('Pay Anna.', { requestKey: 'key-1' });
    const updates: TurnUpdate[] = [];
    const following = (async () => {
      for await (const update of turn.progress({ everyMs: 10 })) updates.push(update);
    })();
    await gate.reached;
    await rig.temporal.workflow.getHandle(turn.workflowId).terminate();
    await following;
    gate.open();
    expect(updates.at(-1)).toMatchObject({ kind: 'ended', outcome: 'failed' });
  });
});

describe('operations', () => {
  test('are listed and read by the client, as the ledger has them', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    await rig.say('Pay Anna.');
    const client = await rig.connect();
    const { operations, next } = await client.operations.list({ tenant: rig.tenant });
    expect(operations).toMatchObject([
      { operationId: 'payout-anna', state: 'confirmed', externalId: 'po_1', attempts: 1 },
    ]);
    expect(next).toBeNull();
    const operation = await client.operations.get({ tenant: rig.tenant, operationId: 'payout-anna' });
    expect(operation?.events.map(({ kind }) => kind)).toEqual(['registered', 'marked', 'answered']);
    expect(await client.operations.get({ tenant: 'nobody', operationId: 'payout-anna' })).toBeNull();
  });
});
