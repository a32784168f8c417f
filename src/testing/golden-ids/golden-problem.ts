import { assertNever } from '../../operations/assert-never';

/** What is wrong between a table and the tool, and with which case. */
export type GoldenProblem =
  | { readonly kind: 'id-changed' | 'intent-changed'; readonly case: string; readonly was: string; readonly is: string }
  /** They were operations of their own. */
  | { readonly kind: 'merged'; readonly case: string; readonly operationId: string; readonly with: readonly string[] }
  | { readonly kind: 'unsteady'; readonly case: string; readonly answers: readonly [string, string] }
  | { readonly kind: 'refused'; readonly case: string; readonly why: string }
  | { readonly kind: 'row-missing' | 'case-missing' | 'case-twice'; readonly case: string }
  | { readonly kind: 'file-unreadable'; readonly case: null; readonly why: string }
  | { readonly kind: 'other-tool'; readonly case: null; readonly was: string; readonly is: string };

const ACCEPT =
  'If it is meant, read docs/golden-ids.md first; then delete the row, run the test again without the variable CI, and commit the table.';

/** In words: what happened, why it matters, what to do. */
export function problemText(problem: GoldenProblem): string {
  switch (problem.kind) {
    case 'id-changed':
      return `The operation ID of ${problem.case} was ${problem.was} and is ${problem.is} now. A new formula makes new operations for old business: whatever was done under the old ID is not known under the new one, so asked again it would be done a second time. Restore the formula, or use the new one only for business that began after it. ${ACCEPT}`;
    case 'intent-changed':
      return `The intent of ${problem.case} was ${problem.was} and is ${problem.is} now. Operations that exist keep the old one: calls for them would be told \`conflict\` although the customer asks for the same. Restore the intent, or release when no operation of this tool is open. ${ACCEPT}`;
    case 'merged':
      return `${problem.case} is the operation ${problem.operationId} now, which is also that of ${problem.with.join(' and of ')}. They were operations of their own: of two wishes only the first would be carried out, and the other told that it is done. Restore the formula.`;
    case 'unsteady':
      return `Two calls for ${problem.case} gave two answers: ${problem.answers.join('; then ')}. An operation ID comes from the business alone: one that depends on the call, the session, a clock or a random value makes an operation of every call. Compute it, and the intent, from what \`resolve\` reads of the business.`;
    case 'refused':
      return `${problem.case} has no operation: ${problem.why} If its row stands in the table, calls that were taken are refused now. Give cases that the tool takes, and the test the business objects they are about.`;
    case 'row-missing':
      return `${problem.case} has no row in the table. Nothing is written where the variable CI is set. Run this test on your own machine and commit the table: only then a later change is seen.`;
    case 'case-missing':
      return `The table has a row for ${problem.case}, and the test has no such case any more. A row that nobody compares guards nothing. Put the case back; if it can never be asked again, delete its row in the same commit.`;
    case 'case-twice':
      return `${problem.case} stands twice among the cases. Remove one.`;
    case 'file-unreadable':
      return `The table cannot be read: ${problem.why} Restore it from version control; a table that is written anew compares nothing with what was.`;
    case 'other-tool':
      return `The table is that of the tool ${problem.was}, and the test gives ${problem.is}. A tool's name is stored with its operations: keep it, or give each tool a table of its own.`;
    default:
      return assertNever(problem);
  }
}
