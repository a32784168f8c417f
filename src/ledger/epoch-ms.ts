/** A moment or a span of SQL in milliseconds, as our code counts time. */
export function epochMs(expression: string): string {
  return `(extract(epoch from ${expression}) * 1000)::float8`;
}
