/** What is wrong with a tool's IDs, or with their table. */
export type GoldenProblem =
  /** The table has another ID for the input: old business would become new operations. */
  | 'id-changed'
  /** The table has another intent: old business would be told `conflict`. */
  | 'intent-changed'
  /** Two runs of the tool gave two answers. */
  | 'unstable'
  /** The tool refuses the input, so there is no operation. */
  | 'refused'
  /** Inputs of one case give two IDs. */
  | 'two-ids'
  /** Inputs of one case give two intents. */
  | 'two-intents'
  /** An input of `conflicts` has the intent that it should conflict with. */
  | 'no-conflict'
  /** Two cases give one ID. */
  | 'shared-id'
  /** The table has no row for the input, and none may be written. */
  | 'not-recorded'
  /** The table has a row that no case asks for. */
  | 'removed'
  /** The table belongs to another tool. */
  | 'other-tool';

/** One thing that is wrong, and where. */
export interface GoldenFinding {
  readonly problem: GoldenProblem;
  /** The place of its case among the cases; null for what is wrong with the table. */
  readonly case: number | null;
  /** What is wrong, why it matters, and what to do. */
  readonly words: string;
}

/** Three paragraphs, in the order a reader needs them. */
export function inWords(what: string, why: string, todo: string): string {
  return `${what}\nWhy it matters: ${why}\nWhat to do: ${todo}`;
}

export function shown(input: unknown): string {
  return JSON.stringify(input) ?? 'nothing';
}
