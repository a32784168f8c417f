/** The last arm of every switch over a closed union: reached only by data that a newer release wrote. */
export function assertNever(value: never): never {
  throw new Error(`Bug: no rule for ${JSON.stringify(value)}. A newer release may have written it; run that one.`);
}
