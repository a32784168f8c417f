// Needs Postgres.
import { announce } from '../../src/activities/announce';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import { milliseconds } from '../../src/operations/time';
import { ActivityRig, quietEnvironment, TENANT } from '../support/activity-rig';
import { answered, marked, RECEIPT, registered } from '../support/fixtures';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

test('a hook that never comes back holds up no pass, and is called again later', async () => {
  const ledger = new PostgresLedger(own.database);
  const ref = { tenant: TENANT, operationId: 'payout-anna' };
  const unknown = answered({ kind: 'unknown', why: 'no answer', resend: 'allowed', receipt: RECEIPT });
  await ledger.save({ ...ref, before: [], events: [registered(), marked(), unknown] });
  const { events } = await ledger.load(ref);
  await ledger.save({
    ...ref,
    before: events,
    events: [{ kind: 'escalated', generation: 1, reason: 'Nobody knows.' }],
  });
  const { context } = new ActivityRig(own);
  let called = 0;
  const hanging = {
    ...context,
    reconciliation: { ...context.reconciliation, tellWithin: milliseconds(50) },
    onEscalated: () => {
      called++;
      return new Promise<void>(() => undefined);
    },
  };
  await quietEnvironment().run(() => announce(hanging));
  await own.advanceClock(60_000);
  await quietEnvironment().run(() => announce(hanging));
  expect(called).toBe(2);
});
