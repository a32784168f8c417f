import { canonicalIntent } from '../../operations/intent';
import type { GoldenQuestion } from './golden-case';

/** The one that asks the same: two inputs that differ in the order of their fields only are one row. */
export function rowOf<Question extends GoldenQuestion>(
  rows: readonly Question[],
  question: GoldenQuestion,
): Question | undefined {
  const key = rowKey(question);
  return rows.find((row) => rowKey(row) === key);
}

/** The first that is asked for a second time. */
export function firstTwice<Question extends GoldenQuestion>(questions: readonly Question[]): Question | undefined {
  return questions.find((question, index) => rowOf(questions.slice(0, index), question) !== undefined);
}

/** Canonical in the way of intents. */
function rowKey({ input, tenant, customer, sessionId }: GoldenQuestion): string {
  return canonicalIntent({ input, tenant, customer, sessionId });
}
