/** The demo whose clock shall move, or a part of it, does not run. Nothing was moved. */
export class DemoNotRunningError extends Error {
  readonly code = 'SENDONCE_DEMO_NOT_RUNNING';
  override readonly name = 'DemoNotRunningError';
  constructor(what: string, options?: { cause?: unknown }) {
    super(
      `${what} Start the demo with npm start in another terminal, under the same settings, and keep it up.`,
      options,
    );
  }
}
