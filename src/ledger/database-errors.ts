/** No connection could be made, or the server let nobody in. It does not mean that anything of the ledger is lost. */
export class DatabaseUnreachableError extends Error {
  readonly code = 'SENDONCE_DATABASE_UNREACHABLE';
  override readonly name = 'DatabaseUnreachableError';
  constructor(
    readonly server: string,
    cause: unknown,
  ) {
    super(
      isTurnedAway(cause)
        ? `Postgres at ${server} turned the connection away (${messageOf(cause)}). Correct the user, the password or the database in DATABASE_URL.`
        : `Postgres at ${server} cannot be reached (${messageOf(cause)}). Start it, or set DATABASE_URL to the right server.`,
      { cause },
    );
  }
}

/** The schema is not there, or lacks migrations of this release. */
export class SchemaMissingError extends Error {
  readonly code = 'SENDONCE_SCHEMA_MISSING';
  override readonly name = 'SchemaMissingError';
  constructor(
    readonly schema: string,
    readonly missing: readonly string[],
    /** Whether there is none at all: the schema is missing, or another was meant. */
    readonly isEmpty: boolean,
  ) {
    super(
      isEmpty
        ? `The database has no schema ${schema} with sendonce in it. Run npx sendonce migrate, or set SENDONCE_SCHEMA to the schema that was migrated.`
        : `The schema ${schema} lacks ${missing.join(', ')}. Run npx sendonce migrate with this release, then start again.`,
    );
  }
}

/** A newer release has migrated the schema. It does not mean that data are damaged. */
export class SchemaNewerError extends Error {
  readonly code = 'SENDONCE_SCHEMA_NEWER';
  override readonly name = 'SchemaNewerError';
  constructor(
    readonly schema: string,
    readonly unfamiliar: readonly string[],
  ) {
    super(
      `The schema ${schema} has ${unfamiliar.join(', ')}, which this release does not know. Run the newer release of sendonce.`,
    );
  }
}

/** The server may lose commits it has confirmed: a mark could vanish after its request was sent. */
export class AsynchronousCommitError extends Error {
  readonly code = 'SENDONCE_ASYNCHRONOUS_COMMIT';
  override readonly name = 'AsynchronousCommitError';
  constructor() {
    super(
      'Postgres runs with synchronous_commit = off and may lose a confirmed commit in a crash. Set it to on for this database or role.',
    );
  }
}

/** What `pg` says, without a code, of connections that could not be made, hang or broke. */
const CONNECTION_TROUBLE = /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout)/;

/** Whether Postgres gave no answer, as against one that is an error. Whether a statement was carried out is not known. */
export function isUnreachable(error: unknown): boolean {
  // By shape: an error of Node's network is no instance of the Error of another realm, such as a test's.
  if (typeof error !== 'object' || error === null) return false;
  const { code = '', message = '' } = error as { readonly code?: unknown; readonly message?: unknown };
  // Network errors of Node (ECONNREFUSED, ENOTFOUND), a server that starts or stops, connections refused or lost.
  return /^(E[A-Z_]+|57P0\d|08...|53300)$/.test(String(code)) || CONNECTION_TROUBLE.test(String(message));
}

/** Wrong password, no such role or no entry for it, no such database; and what `pg` says where a password is missing. */
function isTurnedAway(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null) return false;
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  return ['28P01', '28000', '3D000'].includes(String(code)) || String(message).startsWith('SASL: ');
}

function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}
