import type { Recorded } from '../operations/event';
import type { ResolutionRefusal } from '../operations/resolution';
import type { Instant } from '../operations/time';

/**
 * A person's word on an operation was refused, and nothing is changed. It does not mean that the person is wrong: the
 * word rests on too little, or on what is no longer all that is known.
 */
export class ResolutionRefusedError extends Error {
  readonly code = 'SENDONCE_RESOLUTION_REFUSED';
  override readonly name = 'ResolutionRefusedError';
  /** What was recorded after the version that the person saw, oldest first; empty where that is not the reason. */
  readonly evidence: readonly Recorded[];
  /** Where a look at the provider is missing: it must begin after this moment of the ledger's clock. Else null. */
  readonly lookAfter: Instant | null;
  constructor(
    readonly operationId: string,
    refusal: Pick<ResolutionRefusal, 'why'> & Partial<ResolutionRefusal>,
  ) {
    super(refusal.why);
    this.evidence = refusal.evidence ?? [];
    this.lookAfter = refusal.lookAfter ?? null;
  }
}
