import { checkProvider as checkParts } from '../../tools/check-provider';
import { ConformanceSetupError } from './conformance-setup-error';
import { checkDownstream } from './downstream';
import { type CheckedPromise, type Finding, findingsOf } from './promise';
import type { ProviderCheck } from './provider-check';
import { ANSWERS } from './provider-promises/answers';
import { DEADLINE } from './provider-promises/deadline';
import { FINDING } from './provider-promises/finding';
import { KEYS } from './provider-promises/keys';
import { ONE_TRY } from './provider-promises/one-try';
import { WEBHOOKS } from './provider-promises/webhooks';
import { ProviderWorld } from './provider-world';
import { registerTests } from './register-tests';

const PROMISES: readonly CheckedPromise<ProviderWorld>[] = [
  ...ONE_TRY,
  ...DEADLINE,
  ...ANSWERS,
  ...KEYS,
  ...FINDING,
  ...WEBHOOKS,
];

/**
 * Puts a provider through the fault matrix and gives what became of each of its promises. Needs no test runner. Throws
 * ConformanceSetupError where nothing can be checked as it is set up.
 */
export async function checkProvider<Request>(check: ProviderCheck<Request>): Promise<readonly Finding[]> {
  return findingsOf(PROMISES, worldOf(check));
}

/**
 * The same as jest tests, one a promise: a broken one fails with words that say how, and one that the provider does not
 * make by its contract is skipped with the reason. Call it at the top of a test file.
 */
export function describeProvider<Request>(check: ProviderCheck<Request>): void {
  const world = worldOf(check);
  registerTests(check.name ?? `the provider ${world.parts.name}`, PROMISES, world);
}

function worldOf<Request>(check: ProviderCheck<Request>): ProviderWorld {
  for (const part of ['provider', 'request'] as const) {
    if (typeof check?.[part] !== 'function') {
      throw new ConformanceSetupError(`describeProvider needs ${part}: a function that gives the ${part} to check.`);
    }
  }
  checkDownstream(check.downstream, 'describeProvider needs downstream: what the provider talks to.');
  const world = new ProviderWorld(check);
  checkParts('of the conformance kit', world.parts);
  return world;
}
