import { LateAnswers } from '../src/activities/late-answers';
import { perform } from '../src/activities/perform';
import { Downstream, payee, payouts } from './downstream';
import type { Measure } from './measure';
import { operationEvents, performSetup, prepared, TENANT } from './one-operation';
import type { Stores } from './stores';

/** The whole of `perform` for a new operation, one read and two commits, against the same call between two bare commits. */
export function newOperation({ ledger, bare }: Stores, guarded: Downstream): Measure {
  const id = 'new-operation';
  const plain = new Downstream();
  const provider = payouts(guarded);
  const lateAnswers = new LateAnswers(ledger, () => undefined);
  return {
    id,
    title: 'New operation',
    unit: 'call',
    ours: {
      name: 'perform: read, mark, send, record',
      run: async (unit) => {
        const operationId = payee(id, unit);
        const end = await perform(performSetup(operationId, provider), {
          ...{ tenant: TENANT, ledger, provider, lateAnswers },
          prepare: async () => prepared(operationId, provider),
          checkCancelled: () => undefined,
        });
        if (end.kind !== 'finish' || end.reply.code !== 'done') throw new Error(`${operationId} was not done.`);
      },
      effects: async () => guarded.effects(id),
    },
    against: {
      name: 'insert, send, update',
      run: async (unit) => {
        const to = payee(id, unit);
        const { mark, record } = operationEvents(to, provider);
        await bare.insert(to, JSON.stringify(mark));
        plain.pay({ to, amount: 38_000 });
        await bare.update(to, JSON.stringify(record));
      },
      effects: async () => plain.effects(id),
    },
    aim: { of: 'throughput', atLeast: 0.9 },
  };
}
