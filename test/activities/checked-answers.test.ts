// Needs nothing.
import { checkedEvidence, checkedOutcome } from '../../src/activities/checked-answers';
import type { Evidence } from '../../src/operations/evidence';
import type { Outcome } from '../../src/operations/outcome';
import { RECEIPT } from '../support/fixtures';

const bare = { requestId: null, httpStatus: null, detail: '' };

/** One of each kind: a kind that is new to the rules does not compile here until it is added. */
const OUTCOMES: Record<Outcome['kind'], Outcome> = {
  confirmed: { kind: 'confirmed', externalId: 're_1', receipt: RECEIPT },
  accepted: { kind: 'accepted', externalId: 're_1', replayed: true, receipt: bare },
  rejected: { kind: 'rejected', covers: 'all', code: '', message: 'No.', externalId: null, receipt: RECEIPT },
  'not-submitted': { kind: 'not-submitted', why: 'Refused.', receipt: bare },
  unknown: { kind: 'unknown', why: 'Reset.', resend: 'unsafe', receipt: RECEIPT },
};
const EFFECT = { externalId: 're_1', status: 'pending', key: 'refund-1', mismatch: 'the amount is 1' } as const;
const EVIDENCE: Record<Evidence['kind'], Evidence> = {
  found: { kind: 'found', effects: [EFFECT, { ...EFFECT, key: null, mismatch: null }], complete: false },
  absent: { kind: 'absent' },
  inconclusive: { kind: 'inconclusive', why: 'No access.' },
};

test.each(Object.values(OUTCOMES))('the outcome $kind is taken as it is', async (outcome) => {
  expect(await checkedOutcome(async () => outcome)).toEqual(outcome);
});

test.each(Object.values(EVIDENCE))('the evidence $kind is taken as it is', async (evidence) => {
  expect(await checkedEvidence(async () => evidence)).toEqual(evidence);
});

test.each([
  ['covers', { ...OUTCOMES.rejected, covers: 'some' }],
  ['resend', { ...OUTCOMES.unknown, resend: undefined }],
  ['replayed', { ...OUTCOMES.accepted, replayed: 'yes' }],
  ['receipt', { ...OUTCOMES.confirmed, receipt: { ...RECEIPT, httpStatus: '200' } }],
])('an outcome whose %s is not what it must be is unknown, and what was given is kept', async (_field, given) => {
  const outcome = await checkedOutcome(async () => given);
  expect(outcome).toMatchObject({
    kind: 'unknown',
    why: expect.stringMatching(/gave no outcome: \{\s*kind: '/),
  });
});

test('a send is begun at once, before anything is waited for', () => {
  const send = jest.fn(async () => OUTCOMES.confirmed);
  void checkedOutcome(send);
  expect(send).toHaveBeenCalledTimes(1);
});
