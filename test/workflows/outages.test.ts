// Needs Postgres and Temporal.
import { seconds } from '../../src/operations/time';
import type { Settings } from '../../src/settings';
import type { Script } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { FaultyWire } from '../support/faulty-wire';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const paySaid: Script = ({ said, results }) =>
  results.length === 0
    ? { calls: [{ tool: 'pay_out', input: { to: said[0] } }] }
    : { text: results.map(({ text }) => text).join('\n') };

const proxies: FaultyWire[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** The rig's settings with the way to Temporal leading over a wire that can be cut. */
async function overTemporalWire({ settings }: Rig): Promise<{ wire: FaultyWire; settings: Settings }> {
  const [host = '', port = ''] = settings.temporal.connection.address.split(':');
  const wire = await FaultyWire.to(host, Number(port));
  proxies.push(wire);
  const connection = { ...settings.temporal.connection, address: `127.0.0.1:${wire.port}` };
  return { wire, settings: { ...settings, temporal: { ...settings.temporal, connection } } };
}

async function overPostgresWire({ settings }: Rig): Promise<{ wire: FaultyWire; settings: Settings }> {
  const url = new URL(settings.database.url);
  const wire = await FaultyWire.to(url.hostname, Number(url.port));
  proxies.push(wire);
  url.port = String(wire.port);
  return { wire, settings: { ...settings, database: { ...settings.database, url: url.href } } };
}

describe('Postgres out of reach', () => {
  test('between mark and answer → the answer waits for it, and is recorded', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: paySaid, worker: false });
    const { wire, settings } = await overPostgresWire(rig);
    await rig.startWorker({ settings });
    const saying = rig.say('anna');
    await gate.reached;
    wire.cut();
    gate.open();
    await until(() => wire.refused > 0);
    wire.mend();
    expect((await saying).text).toMatch(/^Done: pay_out, operation payout-anna, number po_1/);
    expect(provider.sends).toEqual(['payout-anna']);
    expect((await rig.operation('payout-anna'))?.current.attempts).toHaveLength(1);
  });

  test('again and again, at any moment → every turn is answered, every payout is made once', async () => {
    const provider = new CountingProvider();
    const payees = Array.from({ length: 5 }, (_, index) => `payee-${index}`);
    const rig = await rigs.start({ tools: [payOut(provider)], model: paySaid, worker: false });
    const { wire, settings } = await overPostgresWire(rig);
    await rig.startWorker({ settings });
    let over = false;
    const saying = Promise.all(payees.map((payee) => rig.say(payee, { sessionId: `chat-${payee}` }))).finally(() => {
      over = true;
    });
    for (let cuts = 0; !over; cuts++) {
      // The moments differ, and there is time in between for a step to be made.
      await new Promise((resolve) => setTimeout(resolve, 20 + ((cuts * 37) % 120)));
      wire.cut();
      await new Promise((resolve) => setTimeout(resolve, 10));
      wire.mend();
      if (cuts > 12) await until(() => over);
    }
    expect((await saying).map(({ outcome }) => outcome)).toEqual(payees.map(() => 'answered'));
    expect(provider.effects.map(({ to }) => to).sort()).toEqual(payees);
  });
});

describe('Temporal out of reach', () => {
  test('when a call is answered → its completion waits, the turn goes on, nothing is sent again', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: paySaid, worker: false });
    const { wire, settings } = await overTemporalWire(rig);
    await rig.startWorker({ settings });
    const saying = rig.say('anna');
    await gate.reached;
    wire.cut();
    gate.open();
    await until(async () => (await rig.operation('payout-anna'))?.state === 'confirmed');
    await until(() => wire.refused > 0);
    wire.mend();
    expect((await saying).text).toMatch(/^(Done|Already done): pay_out, operation payout-anna, number po_1/);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('for a worker between mark and send, until it passes for dead → another one sends, its own send changes nothing', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const limits = { heartbeatWithin: seconds(1) };
    const rig = await rigs.start({ tools: [payOut(provider)], model: paySaid, limits, worker: false });
    const { wire, settings } = await overTemporalWire(rig);
    await rig.startWorker({ settings });
    const saying = rig.say('anna');
    await gate.reached;
    wire.cut();
    await rig.startWorker();
    await until(async () => (await rig.operation('payout-anna'))?.state === 'confirmed');
    gate.open();
    await until(() => provider.sends.length === 2);
    await until(async () => (await rig.events('payout-anna')).filter(({ kind }) => kind === 'answered').length === 2);
    wire.mend();
    expect((await saying).text).toMatch(/^(Done|Already done): pay_out, operation payout-anna, number po_1/);
    expect(provider.sends).toEqual(['payout-anna', 'payout-anna']);
    expect(provider.effects).toHaveLength(1);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed', alarms: [] });
  });
});
