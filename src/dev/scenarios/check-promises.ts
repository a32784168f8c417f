import type { RunResult } from './run-result';
import type { Scenario } from './scenario';

/** What a run must have brought, and did not; empty if all promises held. */
export function brokenPromises({ promise }: Scenario, run: Omit<RunResult, 'ok'>): string[] {
  const broken: string[] = [];
  const expect = (what: string, promised: unknown, found: unknown) => {
    if (JSON.stringify(promised) !== JSON.stringify(found)) {
      broken.push(`${what}: promised ${JSON.stringify(promised)}, found ${JSON.stringify(found)}`);
    }
  };
  expect('refunds at the provider', promise.effects, run.effects);
  expect('requests that reached the provider', promise.sends, run.sends);
  expect(
    'attempts',
    promise.attempts,
    run.operations.map((operation) => operation.attempts),
  );
  for (const { id, state, externalId, key } of run.operations) {
    expect(`state of ${id}`, 'confirmed', state);
    expect(`key of ${id}`, id, key);
    expect(`whether ${id} knows its refund`, true, externalId !== null);
    expect(
      `whether the customer was told of ${externalId}`,
      true,
      run.told.some((text) => text.includes(externalId ?? id)),
    );
  }
  expect('operations put before a person', 0, run.escalations);
  return broken;
}

/** What the tool as commonly written must bring: a second refund where it loses an answer or is called twice. */
export function brokenNaivePromises({ promise }: Scenario, { effects }: Omit<RunResult, 'ok'>): string[] {
  const expected = promise.naiveEffects ?? promise.effects;
  return effects === expected ? [] : [`refunds at the provider: ${expected} expected, found ${effects}`];
}
