import { LateAnswers } from '../src/activities/late-answers';
import { perform } from '../src/activities/perform';
import { type Downstream, payouts } from './downstream';
import type { Measure } from './measure';
import { operationEvents, performSetup, prepared, TENANT } from './one-operation';
import type { Stores } from './stores';

/** Operations that are there already, asked for in turns. */
const SETTLED = 100;

/** A call for an operation that is confirmed: one read, the fold and the reply, against reading one row. */
export async function settledCall({ ledger, bare }: Stores, downstream: Downstream): Promise<Measure> {
  const id = 'settled-call';
  const provider = payouts(downstream);
  const lateAnswers = new LateAnswers(ledger, () => undefined);
  let [told, read] = [0, 0];
  const idOf = (unit: number) => `${id}.${unit % SETTLED}`;
  const call = async (operationId: string, callId: string) => {
    const setup = performSetup(operationId, provider);
    const end = await perform(
      { ...setup, call: { ...setup.call, callId } },
      {
        ...{ tenant: TENANT, ledger, provider, lateAnswers },
        prepare: async () => prepared(operationId, provider),
        checkCancelled: () => undefined,
      },
    );
    return end.kind === 'finish' ? end.reply.code : end.kind;
  };
  for (let unit = 0; unit < SETTLED; unit++) {
    const { mark, record } = operationEvents(idOf(unit), provider);
    await call(idOf(unit), 'chat-912/1/1/0');
    await bare.insert(idOf(unit), JSON.stringify(mark));
    await bare.update(idOf(unit), JSON.stringify(record));
  }
  return {
    id,
    title: 'Repeated settled call',
    unit: 'call',
    ours: {
      name: 'perform: read, fold, reply',
      run: async (unit) => {
        if ((await call(idOf(unit), 'chat-912/2/1/0')) !== 'already_done')
          throw new Error(`${idOf(unit)} is not done.`);
        told++;
      },
      effects: async () => told,
    },
    against: {
      name: 'row by its key',
      run: async (unit) => {
        if ((await bare.read(idOf(unit)))?.state !== 'confirmed') throw new Error(`${idOf(unit)} is not confirmed.`);
        read++;
      },
      effects: async () => read,
    },
    aim: { of: 'throughput', atLeast: 0.9 },
  };
}
