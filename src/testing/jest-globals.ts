/**
 * What is used of a test runner: jest's names, or another's of the same shape (Vitest with `globals`). Declared here, so
 * that the package depends neither on jest nor on its types.
 */
export interface TestRunner {
  describe(name: string, register: () => void): void;
  readonly test: {
    (name: string, run: () => void | Promise<void>, timeoutMs?: number): void;
    skip(name: string, run: () => void | Promise<void>): void;
  };
  beforeAll(run: () => void | Promise<void>, timeoutMs?: number): void;
  afterAll(run: () => void | Promise<void>, timeoutMs?: number): void;
}

/**
 * Looked up where it is called: a file that never registers a test needs no test runner. Throws TypeError where there is
 * none; `caller` is what was called, `elsewhere` what does the same without one.
 */
export function testRunner(caller: string, elsewhere: string): TestRunner {
  const { describe, test, beforeAll, afterAll } = globalThis as unknown as Partial<TestRunner>;
  if (!describe || !test || !beforeAll || !afterAll) {
    throw new TypeError(
      `${caller} registers tests, and there is no describe and test here. Call it in a test file of jest, with its ` +
        `globals; elsewhere use ${elsewhere}.`,
    );
  }
  return { describe, test, beforeAll, afterAll };
}
