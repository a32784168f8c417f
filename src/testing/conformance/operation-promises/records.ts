import type { DownstreamFault } from '../downstream';
import { needs } from '../needs';
import type { OperationWorld } from '../operation-world';
import { broken, type CheckedPromise } from '../promise';
import { counted } from '../shown';

const TROUBLE: readonly (readonly [what: string, fault: DownstreamFault])[] = [
  ['its answer was lost', { kind: 'lose-answer', how: 'reset' }],
  ['it was lost itself', { kind: 'lose-request', how: 'reset' }],
  ['it was answered with HTTP 500', { kind: 'answer', status: 500, body: '', carriedOut: true }],
  ['it was answered with a page', { kind: 'answer', status: null, body: '<html></html>', carriedOut: true }],
];

export const RECORDS: readonly CheckedPromise<OperationWorld>[] = [
  {
    promise: 'the mark comes before the send: whatever arrives downstream is on record',
    check: async (world) => {
      const scenario = await world.scenario();
      const process = await world.open();
      const counts: number[] = [];
      const end = world.downstream.onRequest(async () => void counts.push(await process.recorded(scenario.newCall())));
      await scenario.ask(process);
      end();
      if (counts.every((count) => count > 0)) return;
      throw broken(
        'A request arrived downstream, and nothing was on record of it. Had the process died in that moment, nobody would know that something may have taken effect, and the next call would do it again. Commit the mark before the first byte leaves.',
      );
    },
  },
  {
    promise: 'no error deletes the record of what was sent',
    notChecked: (world) => needs(world, 'lose-answer', 'lose-request', 'answer'),
    check: async (world) => {
      for (const [what, fault] of TROUBLE) {
        const scenario = await world.scenario();
        const process = await world.open();
        await scenario.askUnder(fault, process);
        if ((await process.recorded(scenario.newCall())) > 0) continue;
        throw broken(
          `A request was sent and ${what}, and afterwards nothing is on record of it: the error has deleted the record, so the next call begins as if nothing had been sent. Keep it, as unknown.`,
        );
      }
    },
  },
  {
    promise: 'one intent goes under one key, however often it is sent',
    notChecked: (world) => needs(world, 'lose-request'),
    check: async (world) => {
      const scenario = await world.scenario();
      const process = await world.open();
      world.downstream.treatNext({ kind: 'lose-request' }, { times: 2 });
      for (const sessionId of ['chat-1', 'chat-1', 'chat-2']) await scenario.ask(process, { sessionId });
      world.downstream.calm();
      const requests = scenario.requests();
      const keys = [...new Set(requests.map(({ key }) => key))];
      if (requests.length < 2 || (keys.length === 1 && keys[0] !== null)) return;
      const under = keys.length === 1 ? 'no key' : keys.map((key) => key ?? 'no key').join(', then ');
      throw broken(
        `Two requests were lost on their way, and one intent was sent ${counted(requests.length, 'time')} under ${under}. ` +
          'A request that nobody answered may still arrive, and then nothing tells the downstream that they are one. Compute the key from the business, and keep it until a certain refusal.',
      );
    },
  },
];
