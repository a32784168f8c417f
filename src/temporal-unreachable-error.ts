/** Temporal gave no answer. It does not mean that a turn failed: workflows go on when the server is back. */
export class TemporalUnreachableError extends Error {
  readonly code = 'SENDONCE_TEMPORAL_UNREACHABLE';
  override readonly name = 'TemporalUnreachableError';
  constructor(
    readonly address: string,
    override readonly cause: unknown,
  ) {
    super(
      `Temporal at ${address} cannot be reached (${cause instanceof Error ? cause.message : String(cause)}). ` +
        'Start it, or set TEMPORAL_ADDRESS to the right server.',
      { cause },
    );
  }
}
