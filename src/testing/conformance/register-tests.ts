import { testRunner } from '../jest-globals';
import { type CheckedPromise, findingOf, type PromiseWorld } from './promise';

/** Far above what one promise takes; a downstream may be slow to start. */
const TIMEOUT_MS = 240_000;

/** Registers one test a promise: kept is passed, broken fails with its words, not checked is skipped with the reason. */
export function registerTests<World extends PromiseWorld>(
  name: string,
  promises: readonly CheckedPromise<World>[],
  world: World,
): void {
  const runner = testRunner('describeProvider or describeOperation', 'checkProvider or checkOperation');
  const { describe, test, beforeAll, afterAll } = runner;
  describe(name, () => {
    beforeAll(() => world.start(), TIMEOUT_MS);
    afterAll(() => world.stop(), TIMEOUT_MS);
    for (const each of promises) {
      const why = each.notChecked?.(world) ?? null;
      if (why !== null) {
        test.skip(`${each.promise} (not checked: ${why})`, async () => undefined);
        continue;
      }
      test(
        each.promise,
        async () => {
          const { broken } = await findingOf(each, world);
          if (broken !== null) throw new Error(`Broken promise: ${each.promise}.\n\n${broken}`);
        },
        TIMEOUT_MS,
      );
    }
  });
}
