import type { Downstream, DownstreamFault } from './downstream';

/** Why the downstream cannot do what the check needs; null where it can. */
export function needs(
  { downstream }: { readonly downstream: Downstream },
  ...kinds: readonly DownstreamFault['kind'][]
): string | null {
  const missing = kinds.filter((kind) => !downstream.can.includes(kind));
  return missing.length === 0 ? null : `the downstream cannot do ${missing.join(' and ')}`;
}
