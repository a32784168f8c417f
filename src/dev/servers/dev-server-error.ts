export type DevServerErrorCode =
  /** Something else listens on the port that was asked for. */
  | 'SENDONCE_PORT_IN_USE'
  /** The data folder cannot be created, written or entered. */
  | 'SENDONCE_FOLDER_UNUSABLE'
  /** A living process of ours already runs a server on the data folder. */
  | 'SENDONCE_FOLDER_IN_USE'
  /** The server's program is nowhere to be found, and could not be fetched. */
  | 'SENDONCE_PROGRAM_MISSING'
  /** The server ended while it was starting; the message has its last words. */
  | 'SENDONCE_SERVER_DIED'
  /** The server neither answered nor ended in time. */
  | 'SENDONCE_SERVER_SILENT';

/**
 * A development server could not be started. The message says what to do; it is all a person needs to see. It says
 * nothing about the data: none of these errors harms them.
 */
export class DevServerError extends Error {
  override readonly name = 'DevServerError';

  constructor(
    readonly code: DevServerErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
