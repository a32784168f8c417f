const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `25 h`, `2 d 7 h`, `90 s`: hours up to two days, as people count them. Zero is `0 s`. */
export function spanText(ms: number): string {
  let rest = Math.round(ms / 1_000) * 1_000;
  const parts: string[] = [];
  for (const [name, unitMs] of UNITS) {
    if (name === 'd' && rest < 2 * unitMs) continue;
    const count = Math.floor(rest / unitMs);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * unitMs;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}
