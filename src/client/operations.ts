import type { Hints } from '../activities/hints';
import type { Database } from '../ledger/database';
import { findOperations, type OperationFilter, type OperationPage } from '../ledger/find-operations';
import type { OperationRef } from '../ledger/ledger';
import { PostgresLedger } from '../ledger/postgres-ledger';
import { withLooks } from '../ledger/read-looks';
import { type OperationDetail, readOperation } from '../ledger/read-operation';
import { resolveOperation } from '../ledger/resolve-operation';
import type { PersonVerdict } from '../operations/event';
import type { Instant } from '../operations/time';
import type { Tool } from '../tools/tool';
import { checkOperation, type OperationCheck } from './check-operation';
import { type RedoEnd, redoOperation } from './redo-operation';
import { askDatabase } from './waiting';

/** What a person says of an operation, and what that rests on. */
export interface OperationResolution {
  /** Who says so, and why: both are kept with the operation and shown. */
  readonly by: string;
  readonly note: string;
  /** The version that was before the person: evidence after it refuses their word. */
  readonly version: number;
  /** `allowResend`: whether a call that is planned later may do it after all, as the next generation. */
  readonly verdict: PersonVerdict;
  /** When the person began to look at the provider, by the ledger's clock. Only read with `hasQuery: false`. */
  readonly lookedAt?: Instant;
  /** False where the tool's provider has no `find`: then the person's own look counts. True unless given. */
  readonly hasQuery?: boolean;
}

/** What a person wants done once more, and as what. */
export interface OperationRedo {
  /** Of the new operation: none that your tools compute, and the same for the same wish, however often it is said. */
  readonly id: string;
  /** Who wants it, and why: both are kept with the new operation and shown. */
  readonly by: string;
  readonly note: string;
  /** With the operation's own among them: its provider puts the stored request under the new ID. */
  readonly tools: readonly Tool[];
}

/** Operations as the ledger has them at this moment. Nothing here sends anything, and only `check` asks a provider. */
export interface Operations {
  /** Newest first, a page at a time. Throws FilterInvalidError or DatabaseUnreachableError. */
  list(filter?: OperationFilter): Promise<OperationPage>;
  /** With its whole history; null for an operation nobody ever called for. Throws as `list` does. */
  get(ref: OperationRef): Promise<OperationDetail | null>;
  /**
   * Asks the provider what became of it, in whatever state it is, and records what it tells. It needs the operation's
   * tool with what its provider needs, and no worker. Throws as `list` does.
   */
  check(ref: OperationRef, by: { readonly tools: readonly Tool[] }): Promise<OperationCheck>;
  /**
   * Records a person's word and gives the operation after it. Throws ResolutionRefusedError, which shows newer evidence
   * and changes nothing; ClientClosedError or DatabaseUnreachableError where it may be recorded: saying it again shows it.
   */
  resolve(ref: OperationRef, resolution: OperationResolution): Promise<OperationDetail>;
  /**
   * Registers the operation's request once more under an ID of its own, a deliberate second effect; reconciliation sends
   * it. Said again, it registers nothing. Throws RedoRefusedError, or as `resolve` where it may be registered.
   */
  redo(ref: OperationRef, redo: OperationRedo): Promise<RedoEnd<OperationDetail>>;
}

interface OperationsParts {
  readonly database: Database;
  readonly closing: AbortSignal;
  readonly hints: Hints;
}

export function operationsIn(parts: OperationsParts): Operations {
  // What a person did may be for somebody to hear, or to be sent.
  const hinted = async <T>(act: Promise<T>) => {
    const done = await act;
    parts.hints.hint();
    return done;
  };
  return {
    list: (filter) => askDatabase(parts, (database) => findOperations(database, filter)),
    get: (ref) =>
      askDatabase(parts, async (database) => {
        const operation = await readOperation(new PostgresLedger(database), ref);
        return operation && withLooks(database, operation);
      }),
    check: (ref, { tools }) => hinted(askDatabase(parts, (database) => checkOperation(database, ref, tools))),
    resolve: (ref, { by, note, version, verdict, lookedAt = null, hasQuery = true }) =>
      hinted(
        askDatabase(parts, async (database) => {
          const resolution = { by, note, sawVersion: version, verdict, lookedAt };
          return withLooks(database, await resolveOperation(new PostgresLedger(database), ref, resolution, hasQuery));
        }),
      ),
    redo: (ref, { tools, ...redo }) =>
      hinted(
        askDatabase(parts, async (database) => {
          const end = await redoOperation(new PostgresLedger(database), ref, redo, tools);
          return { ...end, operation: await withLooks(database, end.operation) };
        }),
      ),
  };
}
