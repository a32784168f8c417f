import type { OperationTool } from '../../tools/tool';
import type { Downstream, DownstreamAddress } from './downstream';
import type { OperationUnderTest } from './operation-under-test';

/** What `describeOperation` and `checkOperation` take: a tool made by `defineOperation`, or any other by `operation`. */
export type OperationCheck = AnyOperationCheck &
  (
    | { readonly tool: (at: DownstreamAddress) => OperationTool; readonly operation?: never }
    | {
        /**
         * A process of your tool, pointed at this address. Called anew after each death of one, so what shall survive
         * (its records) must be kept outside of it.
         */
        readonly operation: (at: DownstreamAddress) => OperationUnderTest | Promise<OperationUnderTest>;
        readonly tool?: never;
      }
  );

/** What `describeOperation` takes: a tool of `defineOperation`, or any other behind an adapter. */
export interface AnyOperationCheck {
  /** For the tests' title; the tool's own name unless given. */
  readonly name?: string;
  readonly downstream: Downstream;
  /**
   * The arguments of the nth business intent, from 1: another order, another line. Each promise takes some of its own,
   * so the downstream and your systems must know of about a hundred.
   */
  input(nth: number): unknown;
  /** The same intent in other words of the model: another reason, `#1043` for `1043`. */
  reworded?(input: unknown): unknown;
  /** The same thing with other content: another quantity. It is a conflict while the first is not rejected. */
  changed?(input: unknown): unknown;
  /** Arguments that the tool must refuse: somebody else's order. */
  readonly refused?: unknown;
  /** Who calls; `shop` and `customer-77` unless given. */
  readonly caller?: { readonly tenant: string; readonly customer: string };
  /** How long a call may wait for an answer before the kit ends the connection. 1 s unless given, in milliseconds. */
  readonly patienceMs?: number;
}
