import type { Caller } from '../../tools/caller';
import type { OperationTool } from '../../tools/tool';

/** Who asks. Without a session each run has one of its own: an ID that depended on it would be caught. */
export type GoldenCaller = Pick<Caller, 'tenant' | 'customer'> & Partial<Pick<Caller, 'sessionId'>>;

/** One business intent, in the words a model may find for it. Inputs are what the model writes, as JSON. */
export interface GoldenCase {
  /** All of them the same business, "#1043" and "1043": one operation ID and one intent. */
  readonly inputs: readonly [unknown, ...unknown[]];
  /** About the same business, but not the same wish (another quantity): the same ID, another intent. */
  readonly conflicts?: readonly unknown[];
  /** Another caller than the table's. */
  readonly caller?: GoldenCaller;
}

/** A tool, the file of its table, who asks, and the business that is compared. */
export interface GoldenIdsOptions {
  /** A function where the tool needs something that a test's set-up makes first. */
  readonly tool: OperationTool | (() => OperationTool | Promise<OperationTool>);
  /** The table, as JSON; one file a tool, kept with your sources. */
  readonly file: string;
  readonly caller: GoldenCaller;
  readonly cases: readonly GoldenCase[];
  /** Whether rows that are missing are written; without it, wherever the environment sets no `CI`. */
  readonly record?: boolean;
}

/** What identifies a row: what is asked, and by whom. */
export interface GoldenQuestion extends GoldenCaller {
  readonly input: unknown;
}

/** One line of the table. */
export interface GoldenRow extends GoldenQuestion {
  readonly operationId: string;
  /** As a value; what is compared is its canonical text. */
  readonly intent: unknown;
}

/** What is asked in a case, in order: its inputs, then its conflicts. */
export function questionsOf({ inputs, conflicts = [], caller }: GoldenCase, by: GoldenCaller): GoldenQuestion[] {
  const { tenant, customer, sessionId } = caller ?? by;
  return [...inputs, ...conflicts].map((input) => ({
    input,
    tenant,
    customer,
    ...(sessionId === undefined ? {} : { sessionId }),
  }));
}
