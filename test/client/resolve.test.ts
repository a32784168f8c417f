// Needs Postgres.
import { Hints } from '../../src/activities/hints';
import { operationsIn } from '../../src/client/operations';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import { ResolutionRefusedError } from '../../src/ledger/resolution-refused-error';
import { answered, at, marked, RECEIPT, registered } from '../support/fixtures';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const REF = { tenant: 'shop', operationId: 'refund-1043-li_2' };
const UNKNOWN = answered({ kind: 'unknown', why: 'no answer', resend: 'allowed', receipt: RECEIPT });
const WORD = { by: 'ann', note: 'I looked.', version: 3 } as const;
const REJECTED = { as: 'rejected', allowResend: false } as const;

let own: TestDatabase;
beforeEach(async () => {
  own = await createTestDatabase();
  await new PostgresLedger(own.database).save({ ...REF, before: [], events: [registered(), marked(), UNKNOWN] });
});
afterEach(() => own.drop());

const operationsOf = () =>
  operationsIn({ database: own.database, closing: new AbortController().signal, hints: new Hints() });
const resolve = (change: Partial<Parameters<ReturnType<typeof operationsIn>['resolve']>[1]>) =>
  operationsOf().resolve(REF, { ...WORD, verdict: REJECTED, ...change });

describe('operations.resolve', () => {
  test('records a confirmed; list and get show it', async () => {
    const after = await resolve({ verdict: { as: 'confirmed', externalId: 're_7' } });
    const expected = { state: 'confirmed', externalId: 're_7', resolvedBy: 'person', version: 4 };
    expect(after).toMatchObject(expected);
    const operations = operationsOf();
    expect(await operations.get(REF)).toEqual(after);
    expect((await operations.list({ state: 'confirmed' })).operations).toMatchObject([expected]);
  });

  test('takes the provider for one that can be asked, unless told otherwise: then the person’s own look counts', async () => {
    const look = { lookedAt: at(911) };
    await expect(resolve(look)).rejects.toThrow(ResolutionRefusedError);
    await expect(resolve({ hasQuery: false })).rejects.toMatchObject({ lookAfter: at(910) });
    await expect(resolve({ ...look, hasQuery: false })).resolves.toMatchObject({ state: 'rejected' });
  });

  test('refuses with a typed error that holds what the person had not seen', async () => {
    await expect(resolve({ version: 2 })).rejects.toMatchObject({
      code: 'SENDONCE_RESOLUTION_REFUSED',
      evidence: [{ kind: 'answered', seq: 3 }],
    });
  });
});
