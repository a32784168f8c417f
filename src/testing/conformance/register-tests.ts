import { testRunner } from '../jest-globals';
import type { Downstream } from './downstream';
import { type CheckedPromise, findingOf } from './promise';

/** Far above what one promise takes; a downstream may be slow to start. */
const TIMEOUT_MS = 240_000;

export interface Suite<World extends { readonly downstream: Downstream }> {
  readonly name: string;
  readonly world: World;
  readonly promises: readonly CheckedPromise<World>[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Registers one test a promise: kept is passed, broken fails with its words, not checked is skipped with the reason. */
export function registerTests<World extends { readonly downstream: Downstream }>({
  name,
  world,
  promises,
  start,
  stop,
}: Suite<World>): void {
  const runner = testRunner('describeProvider or describeOperation', 'checkProvider or checkOperation');
  const { describe, test, beforeAll, afterAll } = runner;
  describe(name, () => {
    beforeAll(start, TIMEOUT_MS);
    afterAll(stop, TIMEOUT_MS);
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
