import type { Recorded } from '../src/operations/event';
import { type Downstream, payee, payouts } from './downstream';
import type { Measure } from './measure';
import { operationEvents, TENANT } from './one-operation';
import type { Stores } from './stores';

/** The ledger alone: its two commits of a new operation against two commits of the same text. */
export function markAndRecord({ ledger, bare, confirmed }: Stores, downstream: Downstream): Measure {
  const id = 'ledger-commits';
  const provider = payouts(downstream);
  return {
    id,
    title: 'Ledger: mark, record',
    unit: 'call',
    ours: {
      name: 'two saves',
      run: async (unit) => {
        const operationId = payee(id, unit);
        const { mark, record } = operationEvents(operationId, provider);
        const saved = await ledger.save({ tenant: TENANT, operationId, before: [], events: mark });
        if (saved === null) throw new Error(`${operationId} was there before.`);
        const before = mark.map((event, index): Recorded => ({ ...event, seq: index + 1, at: saved.at }));
        await ledger.save({ tenant: TENANT, operationId, before, events: [record] });
      },
      effects: () => confirmed(id),
    },
    against: {
      name: 'insert, update by pg',
      run: async (unit) => {
        const { mark, record } = operationEvents(payee(id, unit), provider);
        await bare.insert(payee(id, unit), JSON.stringify(mark));
        await bare.update(payee(id, unit), JSON.stringify(record));
      },
      effects: () => bare.completed(id),
    },
    aim: { of: 'throughput', atLeast: 0.9 },
  };
}
