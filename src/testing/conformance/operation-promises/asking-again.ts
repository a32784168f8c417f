import type { DownstreamFault } from '../downstream';
import { needs } from '../needs';
import type { OperationUnderTest } from '../operation-under-test';
import type { OperationWorld } from '../operation-world';
import { broken, type CheckedPromise } from '../promise';
import { type Asking, quoted, type Scenario } from '../scenario';
import { counted } from '../shown';

type Case = readonly [what: string, fault: DownstreamFault];

const AFTER_THE_EFFECT: readonly Case[] = [
  ['The effect was made, and the connection ended without an answer', { kind: 'lose-answer', how: 'close' }],
  ['The effect was made, and the connection was reset', { kind: 'lose-answer', how: 'reset' }],
  ['The effect was made, and its answer was cut', { kind: 'cut-answer' }],
  ['The effect was made, and the answer was HTTP 500', failed(500, true)],
  ['The effect was made, and a gateway answered HTTP 502', failed(502, true)],
];

const BEFORE_THE_EFFECT: readonly Case[] = [
  ['The request was lost', { kind: 'lose-request', how: 'close' }],
  ['The answer was HTTP 500', failed(500, false)],
];

function failed(status: number, carriedOut: boolean): DownstreamFault {
  return { kind: 'answer', status, body: '<html>Bad Gateway</html>', carriedOut };
}

export const ASKING_AGAIN: readonly CheckedPromise<OperationWorld>[] = [
  {
    promise: 'a call that nothing goes wrong with has one effect and is told done; asked again, it stays one',
    check: async (world) => {
      const scenario = await world.scenario();
      const process = await world.open();
      const told = await scenario.ask(process);
      await scenario.holds('A call was answered', told);
      if (told.says !== 'done')
        throw broken(`The effect was made and answered, and the call was told ${quoted(told)}.`);
      await again(scenario, process, 'It was done, and the model asked again');
    },
  },
  {
    promise: 'a lost answer or a time-out is never told as a failure',
    notChecked: (world) => needs(world, 'lose-answer', 'cut-answer', 'answer', 'hold-answer', 'hold-request'),
    check: async (world) => {
      for (const [what, fault] of AFTER_THE_EFFECT) {
        const scenario = await world.scenario();
        await scenario.holds(what, await scenario.askUnder(fault, await world.open()));
      }
      for (const kind of ['hold-answer', 'hold-request'] as const) {
        const scenario = await world.scenario();
        const treatment = world.downstream.treatNext({ kind });
        const told = await scenario.toldBy(scenario.begin(await world.open()), treatment);
        await scenario.letArrive(treatment);
        const what =
          kind === 'hold-answer'
            ? 'The effect was made, and no answer came in time'
            : 'No answer came in time, and the request arrived later';
        await scenario.holds(what, told);
      }
    },
  },
  {
    promise: 'the answer is lost and the model asks again, in other words and from another session → one effect',
    notChecked: (world) => needs(world, 'lose-answer', 'cut-answer', 'answer'),
    check: async (world) => {
      for (const [what, fault] of AFTER_THE_EFFECT) {
        const scenario = await world.scenario();
        const process = await world.open();
        await scenario.askUnder(fault, process);
        await again(scenario, process, `${what}, and the model asked again`);
      }
    },
  },
  {
    promise: 'the request is lost and the model asks again → at most one effect',
    notChecked: (world) => needs(world, 'lose-request', 'answer'),
    check: async (world) => {
      for (const [what, fault] of BEFORE_THE_EFFECT) {
        const scenario = await world.scenario();
        const process = await world.open();
        await scenario.holds(what, await scenario.askUnder(fault, process));
        await again(scenario, process, `${what}, and the model asked again`);
      }
    },
  },
  {
    promise: 'every answer is lost, however often the model asks → one effect',
    notChecked: (world) => needs(world, 'lose-answer'),
    check: async (world) => {
      const scenario = await world.scenario();
      const process = await world.open();
      world.downstream.treatNext({ kind: 'lose-answer' }, { times: 100 });
      for (const asking of askings(scenario)) {
        await scenario.holds('Every answer was lost', await scenario.ask(process, asking));
      }
      world.downstream.calm();
    },
  },
  {
    promise: 'nobody can connect: nothing is told done, and asked again it has one effect',
    check: async (world) => {
      const scenario = await world.scenario();
      const process = await world.open();
      await world.downstream.refuseConnections();
      const told = await scenario.ask(process).finally(() => world.downstream.acceptConnections());
      await scenario.holds('Nobody could connect', told);
      await again(scenario, process, 'Nobody could connect, and the model asked again when one could');
    },
  },
  {
    promise: 'two calls at once, from two sessions → one effect',
    check: async (world) => {
      const scenario = await world.scenario();
      const processes = [await world.open(), await world.open()];
      const calls = processes.map((process, index) => scenario.begin(process, { sessionId: `chat-${index + 1}` }));
      for (const told of await Promise.all(calls.map((call) => scenario.toldBy(call)))) {
        if (told.says === 'done' || told.says === 'not-done') await scenario.holds('Two calls came at once', told);
      }
      await again(scenario, await world.open(), 'Two calls came at once, and the model asked again');
    },
  },
  {
    promise: 'two intents are two effects',
    check: async (world) => {
      const both = [await world.scenario(), await world.scenario()];
      const process = await world.open();
      for (const scenario of both) await scenario.ask(process);
      const effects = (await both[0]?.effects()) ?? [];
      if (effects.length !== 2) throw broken(`Two intents have ${counted(effects.length, 'effect')}.`);
    },
  },
];

function askings(scenario: Scenario): readonly Asking[] {
  const reworded = { input: scenario.reworded() };
  return [{}, reworded, { ...reworded, sessionId: 'chat-2' }];
}

async function again(scenario: Scenario, process: OperationUnderTest, what: string): Promise<void> {
  for (const asking of askings(scenario)) {
    const told = await scenario.ask(process, asking);
    if (told.says === 'refused') {
      throw broken(
        `${what} for the same thing, and was refused (${quoted(told)}): other words are no other intent, and another session is no other customer.`,
      );
    }
    await scenario.holds(what, told);
  }
}
