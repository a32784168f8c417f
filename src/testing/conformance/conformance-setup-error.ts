/** The kit cannot check anything as it is set up. It says nothing about the provider or the tool. */
export class ConformanceSetupError extends Error {
  readonly code = 'SENDONCE_CONFORMANCE_SETUP';
  override readonly name = 'ConformanceSetupError';
}
