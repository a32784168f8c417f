import { canonicalIntent } from '../../operations/intent';
import type { GoldenAnswer } from './answer-question';
import type { GoldenQuestion, GoldenRow } from './golden-case';
import { type GoldenFinding, inWords, shown } from './golden-finding';

/** A question, what the tool made of it, and where it stood. */
export interface AnsweredQuestion {
  readonly question: GoldenQuestion;
  readonly answer: GoldenAnswer;
  readonly case: number;
  readonly isConflict: boolean;
}

/** One that the tool made an operation of, with the row it would have. */
export interface PlannedQuestion {
  readonly row: GoldenRow;
  /** Canonical text. */
  readonly intent: string;
  readonly case: number;
  readonly isConflict: boolean;
}

/** What is wrong with one answer by itself. */
export function judgeAnswer({ question, answer, case: at }: AnsweredQuestion): GoldenFinding[] {
  const input = shown(question.input);
  if (answer.kind === 'refused') {
    const words = inWords(
      `The tool refuses ${input}: ${answer.message}`,
      'a refused call makes no operation, so there is no ID to compare.',
      'give the tool the data that the input asks for, or correct the input.',
    );
    return [{ problem: 'refused', case: at, words }];
  }
  if (answer.kind === 'planned') return [];
  const { first, again } = answer;
  const words = inWords(
    `Two runs for ${input} gave ${first.operationId} with intent ${first.intent}, and ${again.operationId} with intent ${again.intent}.`,
    'what depends on the call, the session, a clock or a random value makes a new operation, or a conflict, of every repetition.',
    'compute ID and intent from the business objects alone; for an intent without a number of its own take an intent ID that your system stores.',
  );
  return [{ problem: 'unstable', case: at, words }];
}

/** What is wrong between an answer and its row. */
export function judgeAgainstRow({ row, intent, case: at }: PlannedQuestion, old: GoldenRow, file: string) {
  const findings: GoldenFinding[] = [];
  const input = shown(row.input);
  if (row.operationId !== old.operationId) {
    const words = inWords(
      `The operation ID of ${input} was ${old.operationId} and is now ${row.operationId}.`,
      'ledger and provider know the business that was done by its old ID. Asked for again it would be a new operation under a new key, and be carried out a second time: refunded twice.',
      `give operationId, or what resolve reads for it, its old form. Only if no operation can have been made with the old ID: delete the row from ${file} and run this again.`,
    );
    findings.push({ problem: 'id-changed', case: at, words });
  }
  const before = canonicalIntent(old.intent);
  if (intent !== before) {
    const words = inWords(
      `The intent of ${input} (${row.operationId}) was ${before} and is now ${intent}.`,
      'operations keep the intent they were registered with. The same wish in the new form is told conflict, though nobody asked for anything else, and sends nothing.',
      `name in intent what it had before, and leave a new field out where it says nothing new. Only if no operation can have been made with the old intent: delete the row from ${file} and run this again.`,
    );
    findings.push({ problem: 'intent-changed', case: at, words });
  }
  return findings;
}

/** What is wrong inside of one case, whose first input the others are compared with. */
export function judgeCase([first, ...others]: readonly PlannedQuestion[]): GoldenFinding[] {
  if (first === undefined || first.isConflict) return [];
  return others.flatMap((other) => judgePair(first, other));
}

function judgePair(first: PlannedQuestion, other: PlannedQuestion): GoldenFinding[] {
  const both = `${shown(first.row.input)} and ${shown(other.row.input)}`;
  const { case: at } = first;
  if (first.row.operationId !== other.row.operationId) {
    const words = inWords(
      `${both} stand in one case and give two operation IDs, ${first.row.operationId} and ${other.row.operationId}.`,
      'one business intent in two wordings would be two operations, and be carried out twice.',
      'let resolve read both as one business object and operationId use that. If they are two wishes, give each its own case.',
    );
    return [{ problem: 'two-ids', case: at, words }];
  }
  if (other.isConflict && first.intent === other.intent) {
    const words = inWords(
      `${both} (${first.row.operationId}) have one intent, ${first.intent}, though the second stands under conflicts.`,
      'the second wish would be told already_done and count as carried out, which it is not.',
      'name in intent what tells them apart. If they are the same wish, move it to inputs.',
    );
    return [{ problem: 'no-conflict', case: at, words }];
  }
  if (!other.isConflict && first.intent !== other.intent) {
    const words = inWords(
      `${both} (${first.row.operationId}) have two intents, ${first.intent} and ${other.intent}.`,
      'the second wording of the same wish would be told conflict, and sends nothing.',
      'compute intent from the business objects, not from what the model wrote. If they are not the same wish, move the second to conflicts.',
    );
    return [{ problem: 'two-intents', case: at, words }];
  }
  return [];
}
