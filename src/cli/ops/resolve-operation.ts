import { providerCanBeAsked, whyNoTool } from '../../client/check-operation';
import { withLooks } from '../../ledger/read-looks';
import { type FoldedOperation, readOperation } from '../../ledger/read-operation';
import { ResolutionRefusedError } from '../../ledger/resolution-refused-error';
import { resolveOperation as resolve } from '../../ledger/resolve-operation';
import type { PersonVerdict } from '../../operations/event';
import { CommandError } from '../command-error';
import { print, printLast, textWidth } from '../print';
import { loadWorkerModule } from '../worker-module';
import { eventJson, isoTime, operationDetailJson } from './operation-json';
import { eventLines, stateText } from './operation-text';
import { type NamedOperation, readNamed } from './which-operation';
import { withLedger } from './with-ledger';

export interface ResolveOptions extends NamedOperation {
  readonly as: PersonVerdict['as'];
  readonly externalId?: string;
  readonly allowResend?: true;
  readonly by: string;
  readonly note: string;
  readonly version: number;
  readonly lookedAt?: number;
  readonly tools?: string;
  readonly json?: true;
}

/** `sendonce ops resolve`. Throws CommandError, with the newer evidence, where the word is refused. */
export async function resolveOperation(options: ResolveOptions): Promise<never> {
  const verdict = verdictOf(options);
  const { by, note, version: sawVersion, lookedAt = null, tools: file, json, ...named } = options;
  const tools = file === undefined ? null : (await loadWorkerModule(file)).tools;
  const after = await withLedger(async (database) => {
    const { ref, operation, ledger } = await readNamed(database, named);
    // Without the tools the stricter rule holds: what the provider says goes before what a person saw.
    const canBeAsked = tools === null ? true : providerCanBeAsked(tools, operation);
    if (canBeAsked === null) throw new CommandError(whyNoTool(operation));
    try {
      return await withLooks(
        database,
        await resolve(ledger, ref, { by, note, sawVersion, verdict, lookedAt }, canBeAsked),
      );
    } catch (error) {
      if (!(error instanceof ResolutionRefusedError)) throw error;
      const { lookAfter, evidence } = error;
      if (json) {
        const moment = lookAfter === null ? null : isoTime(lookAfter);
        print(JSON.stringify({ refused: error.message, lookAfter: moment, evidence: evidence.map(eventJson) }));
      }
      const next = nextStep(error, { operation, canBeAsked, isKnown: tools !== null });
      const history = (await readOperation(ledger, ref))?.events ?? [];
      throw new CommandError([`${error.message}${next}`, ...eventLines(evidence, history, textWidth())].join('\n'));
    }
  });
  const { operationId, version, reason } = after;
  return printLast(
    json
      ? JSON.stringify(operationDetailJson(after))
      : `${operationId} is ${stateText(after)}, version ${version}.${reason === null ? '' : ` ${reason}`}`,
  );
}

function verdictOf({ as, externalId, allowResend }: ResolveOptions): PersonVerdict {
  if (as === 'confirmed') {
    if (externalId === undefined) {
      throw new CommandError("Name the effect: --external-id, the provider's number for it, goes with --as confirmed.");
    }
    if (allowResend) {
      throw new CommandError('Leave out --allow-resend: what is confirmed exists, and is not sent again.');
    }
    return { as, externalId };
  }
  if (externalId !== undefined) {
    throw new CommandError('Leave out --external-id: what is rejected has no effect that could be named.');
  }
  return { as, allowResend: allowResend ?? false };
}

interface Asking {
  readonly operation: FoldedOperation;
  readonly canBeAsked: boolean;
  /** Whether that was read from the tool's provider. */
  readonly isKnown: boolean;
}

/** What the person does about a refusal, after its words. */
function nextStep({ lookAfter, evidence }: ResolutionRefusedError, { operation, canBeAsked, isKnown }: Asking): string {
  const named = `${operation.operationId} --tenant ${operation.tenant}`;
  if (evidence.length > 0) return ` See sendonce ops show ${named}, and name the version it tells.`;
  if (lookAfter === null) return '';
  const moment = `after ${isoTime(lookAfter)}`;
  if (!canBeAsked) return ` That is ${moment}; say when you looked with --looked-at.`;
  const assumed = isKnown ? '' : ' (Without --tools, the provider is taken for one that can be asked.)';
  return ` Run sendonce ops check ${named} --tools FILE ${moment}, then decide again.${assumed}`;
}
