/**
 * An endpoint that asks for longer is asked again after this. A model call is tried for 30 minutes in all, while a
 * customer waits: an hour, or a date from a clock that is wrong, would end the turn at its first "too many requests".
 */
const LONGEST_MS = 5 * 60_000;

/** A wait of nothing is no wait: below this Temporal's own, growing intervals are kept. */
const SHORTEST_MS = 1_000;

/**
 * How long the endpoint asks to be left alone, between one second and five minutes; null where it does not say.
 * `retry-after-ms` is the finer one of OpenAI's; `retry-after` holds seconds or an HTTP date (RFC 9110, 10.2.3).
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | null {
  const waitMs = milliseconds(headers['retry-after-ms']) ?? secondsOrDate(headers, now);
  if (waitMs === null || waitMs <= 0) return null;
  return Math.ceil(Math.min(Math.max(waitMs, SHORTEST_MS), LONGEST_MS));
}

function secondsOrDate(headers: Readonly<Record<string, string>>, now: number): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const seconds = milliseconds(value);
  if (seconds !== null) return seconds * 1_000;
  const until = Date.parse(value);
  // Against the endpoint's own clock where it tells the time: ours may differ.
  const since = Date.parse(headers['date'] ?? '');
  return Number.isNaN(until) ? null : until - (Number.isNaN(since) ? now : since);
}

function milliseconds(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null;
}
