/** Temporal has no namespace of this name. It does not mean that a turn is lost: the namespace's own server has it. */
export class NamespaceMissingError extends Error {
  readonly code = 'SENDONCE_NAMESPACE_MISSING';
  override readonly name = 'NamespaceMissingError';
  constructor(
    readonly namespace: string,
    readonly address: string,
    override readonly cause?: unknown,
  ) {
    super(
      `Temporal at ${address} has no namespace ${namespace}. Set TEMPORAL_NAMESPACE to one that it has, ` +
        `or make this one: temporal operator namespace create --namespace ${namespace}`,
      { cause },
    );
  }
}
