import type { RunHistory, RunReply, RunResult } from './run-result';
import type { Scenario } from './scenario';
import type { PromisedOperation } from './scenario-promise';

/** What a run is judged by. */
export interface Judged {
  readonly orderId: string;
  readonly result: Pick<RunResult, 'effects' | 'sends' | 'operations' | 'told' | 'followUps' | 'escalations'>;
  readonly histories: readonly Pick<RunHistory, 'operation' | 'events'>[];
  /** Step by step of the model. */
  readonly replies: readonly (readonly RunReply[])[];
}

/** What a run must have brought, and did not; empty if all promises held. */
export function brokenPromises({ promise }: Scenario, { orderId, result, histories, replies }: Judged): string[] {
  const broken: string[] = [];
  const expect = (what: string, promised: unknown, found: unknown) => {
    if (JSON.stringify(promised) !== JSON.stringify(found)) {
      broken.push(`${what}: promised ${JSON.stringify(promised)}, found ${JSON.stringify(found)}`);
    }
  };
  expect('refunds at the provider', promise.effects, result.effects);
  expect('requests that reached the provider', promise.sends, result.sends);
  const promised = promise.operations(orderId);
  expect('number of operations', promised.length, result.operations.length);
  for (const [index, found] of foundOperations(result, histories).entries()) {
    const { reason, ...fields } = promised[index] ?? {};
    for (const [field, value] of Object.entries(fields)) {
      expect(`${field} of operation ${index + 1}`, value, found[field as keyof FoundOperation]);
    }
    if (reason !== undefined && !reason.test(found.reason ?? '')) {
      broken.push(
        `reason of operation ${index + 1}: promised ${String(reason)}, found ${JSON.stringify(found.reason)}`,
      );
    }
  }
  expect('answers of the refund tools', promise.codes, refundCodes(replies));
  const known = result.operations.flatMap(({ externalId }) => externalId ?? []);
  expect('number of refunds that their operations know', promise.known ?? promise.effects, known.length);
  // Every refund that their operations know, and no other.
  const told = result.told.join(' ').match(/re_\w+/g) ?? [];
  expect('refunds that the customer was told of', promise.told === false ? [] : sorted(known), sorted(told));
  expect('settlements told after their turns', promise.followUps ?? 0, result.followUps);
  expect('operations put before a person', promise.escalations ?? 0, result.escalations);
  return broken;
}

/** What the tool as commonly written must bring: more refunds where it loses an answer or is called again. */
export function brokenNaivePromises({ name, naive }: Scenario, { effects }: Pick<RunResult, 'effects'>): string[] {
  if ('unplayable' in naive) throw new Error(`Bug: ${name} cannot be played with the tool as commonly written.`);
  return effects === naive.effects ? [] : [`refunds at the provider: ${naive.effects} expected, found ${effects}`];
}

type FoundOperation = Required<Omit<PromisedOperation, 'reason'>> & { readonly reason: string | null };

function foundOperations({ operations }: Judged['result'], histories: Judged['histories']): readonly FoundOperation[] {
  return histories.flatMap(({ operation: { resolvedBy }, events }, index) => {
    const operation = operations[index];
    if (!operation) return [];
    const { id, key, state, generation, attempts, reason } = operation;
    const answers = events.flatMap((event) => (event.kind === 'answered' ? [event.outcome.kind] : []));
    return [{ id, key, state, generation, attempts, answers, resolvedBy, reason }];
  });
}

/** Of the steps in which refunds were called for. Of two calls in one step either may be the one that sends. */
function refundCodes(replies: Judged['replies']): string[][] {
  return replies
    .map((step) => step.flatMap(({ tool, code }) => (tool.startsWith('refund_') ? [code] : [])).sort())
    .filter((codes) => codes.length > 0);
}

function sorted(numbers: readonly string[]): string[] {
  return [...new Set(numbers)].sort();
}
