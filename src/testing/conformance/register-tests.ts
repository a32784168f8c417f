import { ConformanceSetupError } from './conformance-setup-error';
import type { Downstream } from './downstream';
import { type CheckedPromise, findingOf } from './promise';

/** What jest's globals are to the kit. Declared here, so that the package depends neither on jest nor on its types. */
interface TestGlobals {
  describe(name: string, body: () => void): void;
  readonly test: {
    (name: string, body: () => Promise<void>, timeoutMs?: number): void;
    skip(name: string, body: () => Promise<void>): void;
  };
  beforeAll(body: () => Promise<void>, timeoutMs?: number): void;
  afterAll(body: () => Promise<void>, timeoutMs?: number): void;
}

/** Far above what one promise takes; a downstream may be slow to start. */
const TIMEOUT_MS = 60_000;

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
  const { describe, test, beforeAll, afterAll } = testGlobals();
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

function testGlobals(): TestGlobals {
  const globals = globalThis as unknown as Partial<TestGlobals>;
  const { describe, test, beforeAll, afterAll } = globals;
  if (!describe || !test || !beforeAll || !afterAll) {
    throw new ConformanceSetupError(
      'There is no describe, test, beforeAll and afterAll here: call this in a test file that jest runs (injectGlobals), ' +
        'or take checkProvider and checkOperation, which need no test runner.',
    );
  }
  return { describe, test, beforeAll, afterAll };
}
