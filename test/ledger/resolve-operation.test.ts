// Needs nothing.
import { ResolutionRefusedError } from '../../src/ledger/resolution-refused-error';
import { resolveOperation } from '../../src/ledger/resolve-operation';
import type { EvidenceEvent, OperationEvent } from '../../src/operations/event';
import type { Resolution } from '../../src/operations/resolution';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { answered, at, marked, RECEIPT, registered, T0 } from '../support/fixtures';
import { WatchedLedger } from '../support/perform-rig';

const REF = { tenant: 'shop', operationId: 'refund-1043-li_2' };
const UNKNOWN = answered({ kind: 'unknown', why: 'no answer', resend: 'allowed', receipt: RECEIPT });
const QUERY = { kind: 'evidence', source: 'query', generation: 1, begunAt: at(1_000), final: false } as const;
const ABSENT: EvidenceEvent = { ...QUERY, evidence: { kind: 'absent' } };
const FOUND: EvidenceEvent = {
  ...QUERY,
  evidence: {
    kind: 'found',
    complete: true,
    effects: [{ externalId: 're_1', status: 'succeeded', key: null, mismatch: null }],
  },
};
const WORD: Resolution = {
  by: 'ann',
  note: 'I looked.',
  sawVersion: 4,
  verdict: { as: 'rejected', allowResend: false },
  lookedAt: null,
};

let ledger: WatchedLedger;
beforeEach(async () => {
  const inner = new InMemoryLedger(T0);
  inner.advance(2_000_000);
  ledger = new WatchedLedger(inner);
  await add(registered(), marked(), UNKNOWN, ABSENT);
});

async function add(...events: readonly OperationEvent[]): Promise<void> {
  const { events: before } = await ledger.inner.load(REF);
  await ledger.inner.save({ ...REF, before, events });
}

async function refusalOf(acting: Promise<unknown>): Promise<ResolutionRefusedError> {
  const error: unknown = await acting.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ResolutionRefusedError)) throw new Error(`It was not refused: ${String(error)}`);
  return error;
}

describe("a person's word", () => {
  test('that stands is recorded as one event, and the operation is given as it is then', async () => {
    const after = await resolveOperation(ledger, REF, WORD, true);
    expect(after).toMatchObject({
      ...REF,
      state: 'rejected',
      resolvedBy: 'person',
      reason: 'ann: I looked.',
      version: 5,
    });
    expect(after.events).toEqual((await ledger.inner.load(REF)).events);
  });

  test('that met a write which tells nothing is judged again, and recorded', async () => {
    ledger.before('save', () => add(ABSENT));
    expect(await resolveOperation(ledger, REF, WORD, true)).toMatchObject({ state: 'rejected', version: 6 });
  });

  test('that met newer evidence is refused with it, and nothing is changed', async () => {
    ledger.before('save', () => add(FOUND));
    const refusal = await refusalOf(resolveOperation(ledger, REF, WORD, true));
    expect(refusal).toMatchObject({
      code: 'SENDONCE_RESOLUTION_REFUSED',
      operationId: REF.operationId,
      lookAfter: null,
    });
    expect(refusal.evidence).toMatchObject([{ seq: 5, kind: 'evidence', evidence: { kind: 'found' } }]);
    expect((await ledger.inner.load(REF)).events).toHaveLength(5);
  });

  test('whose record was confirmed to nobody is there when it is said again', async () => {
    ledger.after('save', () => {
      throw new Error('The connection was cut.');
    });
    await expect(resolveOperation(ledger, REF, WORD, true)).rejects.toThrow('cut');
    const { evidence } = await refusalOf(resolveOperation(ledger, REF, WORD, true));
    expect(evidence).toMatchObject([{ kind: 'resolved', by: 'ann' }]);
  });

  test('that lacks a look says from when on one counts', async () => {
    const other = { ...REF, operationId: 'refund-1043-li_3' };
    await ledger.inner.save({ ...other, before: [], events: [registered(), marked(), UNKNOWN] });
    const refusal = await refusalOf(resolveOperation(ledger, other, { ...WORD, sawVersion: 3 }, true));
    expect(refusal).toMatchObject({ lookAfter: at(910), evidence: [] });
  });

  test('that is no act is refused before anything is judged', async () => {
    const refusal = await refusalOf(resolveOperation(ledger, REF, { ...WORD, sawVersion: Number.NaN }, true));
    expect(refusal.message).toMatch(/^Name the version/);
    expect((await ledger.inner.load(REF)).events).toHaveLength(4);
  });
});
