// Needs nothing.
import { isCompleteLook, isFinalAbsence } from '../../src/operations/absence';
import type { OperationEvent } from '../../src/operations/event';
import type { Evidence } from '../../src/operations/evidence';
import { tenantOfKey } from '../../src/operations/key';
import { webhookEvidence } from '../../src/operations/webhook-evidence';
import {
  ABSENT,
  answered,
  confirmed,
  effect,
  folded,
  found,
  INCONCLUSIVE,
  KEY_1,
  marked,
  NEXT_NOON,
  NOON,
  PROVEN,
  recorded,
  registered,
  UNKNOWN,
} from './fixtures';

const told = (evidence: Evidence, events: readonly OperationEvent[] = UNKNOWN) =>
  webhookEvidence(folded(...events), recorded(...events), evidence);

const SUCCEEDED = found([effect('re_1', 'succeeded', { key: KEY_1 })]);

test('an effect that was not known is an event of the current generation, with the webhook as its source', () => {
  expect(told(SUCCEEDED)).toMatchObject({ kind: 'evidence', source: 'webhook', generation: 1, final: false });
  const event = told(SUCCEEDED);
  const after = folded(...UNKNOWN, ...(event === null ? [] : [event]));
  expect(after).toMatchObject({ state: 'confirmed', externalId: 're_1', resolvedBy: 'webhook' });
});

test('the same again, or what the answer told already, is none', () => {
  const event = told(SUCCEEDED);
  expect(event && told(SUCCEEDED, [...UNKNOWN, event])).toBeNull();
  expect(told(SUCCEEDED, [registered(), marked(), answered(confirmed('re_1'))])).toBeNull();
});

test.each([
  ['another status', effect('re_1', 'failed', { key: KEY_1 })],
  ['another number', effect('re_2', 'succeeded', { key: KEY_1 })],
  ['another amount', effect('re_1', 'succeeded', { key: KEY_1, mismatch: 'its amount is 1, not 2' })],
])('%s than the answer told is news', (_what, other) => {
  expect(told(found([other]), [registered(), marked(), answered(confirmed('re_1'))])).not.toBeNull();
});

test('one that is news is news beside one that was known', () => {
  const both = found([effect('re_1'), effect('re_2')]);
  expect(told(both, [registered(), marked(), answered(confirmed('re_1'))])).toMatchObject({
    evidence: { effects: [{ externalId: 're_1' }, { externalId: 're_2' }] },
  });
});

test.each([
  ['absence', ABSENT],
  ['nothing that can be read', INCONCLUSIVE],
])('%s is no evidence of a webhook (rule 8)', (_what, evidence) => {
  expect(told(evidence)).toBeNull();
});

test('it is never a complete look, and never proof of absence, whatever its reader says', () => {
  const failed = found([effect('re_1', 'failed', { key: 'refund-1043-li_2~2' })], true);
  const event = told(failed);
  if (event === null) throw new Error('It is news.');
  const { current } = folded(...UNKNOWN);
  expect(event.evidence).toMatchObject({ complete: false });
  expect(isCompleteLook(current, event.evidence, event.begunAt)).toBe(false);
  // Not even where somebody took it for complete: it began before anything was sent.
  expect(event.begunAt).toBe(NOON);
  expect(isCompleteLook(current, failed, event.begunAt)).toBe(false);
  expect(isFinalAbsence(current, PROVEN, failed, event.begunAt)).toBe(false);
  expect(isCompleteLook(current, failed, NEXT_NOON)).toBe(true);
});

test.each([
  ['shop~refund-1043-li_2', 'shop'],
  ['shop~refund-1043-li_2~2', 'shop'],
  ['refund-1043-li_2', null],
  ['~refund-1043-li_2', null],
  ['~refund-1043-li_2~2', null],
])('the tenant of the key %s is %s', (key, tenant) => {
  expect(tenantOfKey(key)).toBe(tenant);
});
