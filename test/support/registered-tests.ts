/** What a test file registers by the test kit, run here: each test's name, and what it threw or null. */
export async function registered(register: () => void): Promise<(readonly [name: string, thrown: unknown])[]> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  withGlobals(
    {
      describe: (_name: string, body: () => void) => body(),
      test: (name: string, run: () => Promise<void>) => tests.push([name, run]),
    },
    register,
  );
  const results: (readonly [string, unknown])[] = [];
  for (const [name, run] of tests) {
    results.push([
      name,
      await run().then(
        () => null,
        (thrown: unknown) => thrown,
      ),
    ]);
  }
  return results;
}

/** With another test runner, or none. */
export function withGlobals(runner: object, act: () => void): void {
  const { describe: before, test: beforeToo } = globalThis;
  Object.assign(globalThis, runner);
  try {
    act();
  } finally {
    Object.assign(globalThis, { describe: before, test: beforeToo });
  }
}
