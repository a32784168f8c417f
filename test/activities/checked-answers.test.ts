// Needs nothing.
import { checkedEvidence, checkedOutcome } from '../../src/activities/checked-answers';
import type { Evidence } from '../../src/operations/evidence';
import type { Outcome } from '../../src/operations/outcome';
import { RECEIPT } from '../support/fixtures';

const bare = { requestId: null, httpStatus: null, detail: '' };

/** One of each kind: a kind that is new to the rules does not compile here until it is added. */
const OUTCOMES: Record<Outcome['kind'], Outcome> = {
  confirmed: { kind: 'confirmed', externalId: 're_1', receipt: RECEIPT },
  accepted: { kind: 'accepted', externalId: 're_1', replayed: true, status: 'succeeded', receipt: bare },
  rejected: { kind: 'rejected', covers: 'all', code: '', message: 'No.', externalId: null, receipt: RECEIPT },
  'not-submitted': { kind: 'not-submitted', why: 'Refused.', receipt: bare },
  unknown: { kind: 'unknown', why: 'Reset.', resend: 'unsafe', alarm: 'It is not ours.', receipt: RECEIPT },
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

test.each<Outcome>([
  { kind: 'accepted', externalId: 're_1', replayed: true, receipt: bare },
  { kind: 'unknown', why: 'Reset.', resend: 'allowed', receipt: RECEIPT },
])('what an outcome $kind may leave out is not added', async (outcome) => {
  expect(await checkedOutcome(async () => outcome)).toStrictEqual(outcome);
});

test.each(Object.values(EVIDENCE))('the evidence $kind is taken as it is', async (evidence) => {
  expect(await checkedEvidence(async () => evidence)).toEqual(evidence);
});

test.each([
  ['covers', { ...OUTCOMES.rejected, covers: 'some' }],
  ['resend', { ...OUTCOMES.unknown, resend: undefined }],
  ['replayed', { ...OUTCOMES.accepted, replayed: 'yes' }],
  ['status', { ...OUTCOMES.accepted, status: 'requires_action' }],
  ['alarm', { ...OUTCOMES.unknown, alarm: 7 }],
  ['receipt', { ...OUTCOMES.confirmed, receipt: { ...RECEIPT, httpStatus: '200' } }],
])('an outcome whose %s is not what it must be is unknown, and what was given is kept', async (_field, given) => {
  const outcome = await checkedOutcome(async () => given);
  expect(outcome).toMatchObject({
    kind: 'unknown',
    why: expect.stringMatching(/gave no outcome: \{\s*kind: '/),
  });
});

test.each<[string, unknown, string]>([
  ['says allowed', { ...OUTCOMES.unknown, why: undefined, resend: 'allowed' }, 'allowed'],
  ['says pointless', { ...OUTCOMES.unknown, why: undefined, resend: 'pointless' }, 'pointless'],
  ['says unsafe', { ...OUTCOMES.unknown, receipt: null, resend: 'unsafe' }, 'unsafe'],
  ['says what is not listed', { ...OUTCOMES.unknown, resend: 'sure' }, 'unsafe'],
  ['is no unknown one', { ...OUTCOMES['not-submitted'], why: undefined, resend: 'allowed' }, 'unsafe'],
  ['is nothing', undefined, 'unsafe'],
])('an outcome that cannot be read and %s allows no more than that', async (_what, given, resend) => {
  expect(await checkedOutcome(async () => given)).toMatchObject({ kind: 'unknown', resend });
});

test('a send that throws says nothing against the same key', async () => {
  const outcome = await checkedOutcome(async () => Promise.reject(new Error('boom')));
  expect(outcome).toMatchObject({ kind: 'unknown', resend: 'allowed', why: "The provider's code threw: boom" });
});

test('an alarm is kept, however odd it or the outcome around it is', async () => {
  const odd = [{ ...OUTCOMES.unknown, alarm: 7 }, { ...OUTCOMES.unknown, why: undefined }, { alarm: '' }];
  for (const given of odd) {
    expect(await checkedOutcome(async () => given)).toMatchObject({ kind: 'unknown', alarm: expect.any(String) });
  }
  expect(await checkedOutcome(async () => ({ ...OUTCOMES.confirmed, receipt: null }))).not.toHaveProperty('alarm');
});

test('a send is begun at once, before anything is waited for', () => {
  const send = jest.fn(async () => OUTCOMES.confirmed);
  void checkedOutcome(send);
  expect(send).toHaveBeenCalledTimes(1);
});
