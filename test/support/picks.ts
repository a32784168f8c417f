import fc from 'fast-check';

/** Draws whole numbers from 0 up to below the given one: for properties that rearrange what they were given. */
export type Pick = (below: number) => number;

/** The same draws again and again, so that a counterexample can be tried by hand. */
export const picks: fc.Arbitrary<Pick> = fc.array(fc.nat(999), { minLength: 1, maxLength: 12 }).map((drawn) => {
  let next = 0;
  const pick: Pick = (below) => (drawn[next++ % drawn.length] ?? 0) % below;
  return Object.assign(pick, { [fc.toStringMethod]: () => `picks of ${drawn.join(', ')}` });
});
