import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { CallToolResult, ScheduledCall } from '../activities/activity-inputs';
import type { ReplyCode } from '../operations/reply';
import { OPERATION_KEY } from './search-attribute-keys';

/** Replies after which somebody still has to find out, or to decide, what becomes of the operation. */
const NOT_SETTLED: readonly ReplyCode[] = [
  'outcome_unknown',
  'in_progress',
  'waiting',
  'approval_required',
  'escalated',
  'not_submitted',
];
/** Replies that tell how the operation ended. The others (a conflict, bad input) say nothing about it. */
const SETTLED: readonly ReplyCode[] = ['done', 'already_done', 'rejected'];

/** A KeywordList above 2,048 bytes would end the workflow; this leaves room for how the server encodes it. */
const OPERATIONS_MAX_BYTES = 1_500;

/** What people see of a running turn in Temporal's UI: current details, and the search attribute of its operations. */
export class TurnProgress {
  readonly #searchable: boolean;
  /** By operation ID, in the order of their calls. */
  readonly #operations = new Map<string, { readonly tool: string; readonly standing: string }>();
  #unsettled: readonly string[] = [];

  constructor(searchable: boolean) {
    this.#searchable = searchable;
  }

  asksModel(step: number): void {
    this.#show(`Step ${step}: waiting for the model.`);
  }

  runsCalls(step: number, calls: readonly ScheduledCall[]): void {
    for (const { tool, operationId } of calls) {
      if (operationId !== null) this.#operations.set(operationId, { tool, standing: 'being carried out' });
    }
    this.#show(`Step ${step}: running ${calls.map(({ tool }) => tool).join(', ')}.`);
  }

  /** After all calls of a step: one update of the search attribute, and none where nothing changed. */
  ranCalls(calls: readonly ScheduledCall[], results: readonly CallToolResult[]): void {
    const unsettled = new Set(this.#unsettled);
    results.forEach(({ operationId, code, externalId }, index) => {
      if (operationId === null) return;
      const standing = [code.replaceAll('_', ' '), ...(externalId === null ? [] : [externalId])].join(', ');
      this.#operations.set(operationId, { tool: calls[index]?.tool ?? '', standing });
      if (NOT_SETTLED.includes(code)) unsettled.add(operationId);
      if (SETTLED.includes(code)) unsettled.delete(operationId);
    });
    this.#search([...unsettled]);
  }

  ended(outcome: string): void {
    this.#show(`The turn has ended: ${outcome.replaceAll('_', ' ')}.`);
  }

  #search(unsettled: readonly string[]): void {
    const fitting = whatFits(unsettled);
    const changed = fitting.join(' ') !== whatFits(this.#unsettled).join(' ');
    this.#unsettled = unsettled;
    if (!this.#searchable || !changed) return;
    // An empty list takes the attribute away.
    upsertSearchAttributes([{ key: OPERATION_KEY, value: fitting.length === 0 ? null : [...fitting] }]);
  }

  /** Markdown, as Temporal's UI shows it. */
  #show(now: string): void {
    const operations = [...this.#operations].map(([id, { tool, standing }]) => `- \`${id}\` (${tool}): ${standing}`);
    setCurrentDetails([now, ...(operations.length === 0 ? [] : ['', '**Operations**', '', ...operations])].join('\n'));
  }
}

function whatFits(operationIds: readonly string[]): readonly string[] {
  let bytes = 0;
  return operationIds.filter((id) => {
    bytes += id.length + 3;
    return bytes <= OPERATIONS_MAX_BYTES;
  });
}
