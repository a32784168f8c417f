// Needs nothing.
import type { PersonVerdict } from '../../src/operations/event';
import type { Resolution } from '../../src/operations/resolution';
import { whyNoAct } from '../../src/operations/resolution-form';
import { NOON } from './fixtures';

const ACT: Resolution = {
  by: 'ann',
  note: 'I looked.\nNothing there.',
  sawVersion: 4,
  verdict: { as: 'confirmed', externalId: 're_1' },
  lookedAt: null,
};
const named = (externalId: string): PersonVerdict => ({ as: 'confirmed', externalId });

test.each<[string, Partial<Resolution>]>([
  ['a number', {}],
  ['no effect', { verdict: { as: 'rejected', allowResend: false } }],
  ['the first version', { sawVersion: 1 }],
  ['a look of this moment', { lookedAt: NOON }],
  ['the longest of everything', { by: 'a'.repeat(128), note: 'b'.repeat(2_000), verdict: named('c'.repeat(255)) }],
])('who, why, what was seen and %s make an act', (_what, change) => {
  expect(whyNoAct({ ...ACT, ...change }, NOON)).toBeNull();
});

test.each<[string, Partial<Resolution>, RegExp]>([
  ['nobody', { by: ' ' }, /^Say who decides/],
  ['a name of two lines', { by: 'ann\nbob' }, /^Say who decides/],
  ['a name that is too long', { by: 'a'.repeat(129) }, /^Say who decides/],
  ['no note', { note: '\n' }, /^Say why/],
  ['a note that no row can take', { note: 'I\0looked' }, /^Say why/],
  ['a note that is too long', { note: 'b'.repeat(2_001) }, /^Say why/],
  ['version 0', { sawVersion: 0 }, /^Name the version/],
  ['half a version', { sawVersion: 3.5 }, /^Name the version/],
  [
    'a version that is no number, which no evidence would be newer than',
    { sawVersion: Number.NaN },
    /^Name the version/,
  ],
  ['another word', { verdict: { as: 'dropped' } as unknown as PersonVerdict }, /^Say confirmed or rejected/],
  ['nobody at all', { by: undefined } as unknown as Partial<Resolution>, /^Say who decides/],
  [
    'a leave that is a text',
    { verdict: { as: 'rejected', allowResend: 'false' } as unknown as PersonVerdict },
    /again/,
  ],
  ['an effect that is not named', { verdict: { as: 'confirmed' } as unknown as PersonVerdict }, /^Say which effect/],
  ['an effect without a number', { verdict: named('') }, /^Say which effect/],
  ['a number with a blank', { verdict: named('re_1 re_2') }, /^Say which effect/],
  ['a number that is too long', { verdict: named('c'.repeat(256)) }, /^Say which effect/],
  ['a look in the future', { lookedAt: NOON + 1 }, /future/],
  ['a look at no moment', { lookedAt: Number.NaN }, /future/],
])('%s → no act, and it says what is missing', (_what, change, why) => {
  expect(whyNoAct({ ...ACT, ...change }, NOON)).toMatch(why);
});
