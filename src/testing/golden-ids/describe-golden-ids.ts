import { testRunner } from '../jest-globals';
import { checkCases, checkGoldenIds, GoldenIdsBrokenError, type GoldenIdsChecked } from './check-golden-ids';
import type { GoldenCase, GoldenIdsOptions } from './golden-case';
import { shown } from './golden-finding';

/** Above what a `resolve` that asks a database takes for every input. */
const TIMEOUT_MS = 60_000;

/**
 * Registers a jest test for each case, and one for the table: each fails with what changed, why it matters and what to
 * do. Throws TypeError for cases that ask nothing or the same twice, and outside of a test runner.
 */
export function describeGoldenIds(options: GoldenIdsOptions): void {
  const { describe, test } = testRunner('describeGoldenIds', 'expectGoldenIds');
  checkCases(options);
  let checked: Promise<GoldenIdsChecked> | null = null;
  const expectNone = async (at: number | null) => {
    checked ??= checkGoldenIds(options);
    const findings = (await checked).findings.filter((finding) => finding.case === at);
    if (findings.length > 0) throw new GoldenIdsBrokenError(findings);
  };
  describe(`golden IDs of ${options.file}`, () => {
    for (const [at, each] of options.cases.entries()) test(titleOf(each), () => expectNone(at), TIMEOUT_MS);
    test('the table has no other rows', () => expectNone(null), TIMEOUT_MS);
  });
}

/** Shows what is taken for the same business. */
function titleOf({ inputs, conflicts = [], caller }: GoldenCase): string {
  const same = inputs.map(shown).join(' is ');
  const by = caller ? ` of ${caller.customer}` : '';
  return `${same}${by}${conflicts.length === 0 ? '' : `, in conflict with ${conflicts.map(shown).join(', ')}`}`;
}
