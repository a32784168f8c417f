import type { Command, CommandResult } from '../../src/operations/command';
import type { OperationEvent } from '../../src/operations/event';
import type { Evidence } from '../../src/operations/evidence';
import type { Outcome } from '../../src/operations/outcome';
import type { PerformSetup } from '../../src/operations/perform';
import { start, step } from '../../src/operations/stepper';
import { milliseconds } from '../../src/operations/time';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { CALL_A, CONTRACT, INTENT, NOON, OPERATION_ID, REQUEST } from './fixtures';

const REF = { tenant: 'shop', operationId: OPERATION_ID };

export function setup(parts: Partial<PerformSetup> = {}): PerformSetup {
  return {
    operationId: OPERATION_ID,
    tool: 'refund_line_item',
    provider: 'stripe.refunds',
    purpose: 'send',
    generation: 1,
    intent: INTENT,
    call: CALL_A,
    contract: CONTRACT,
    hasQuery: true,
    keyPrefix: '',
    limits: {
      joinWithin: milliseconds(200),
      joinPollEvery: milliseconds(100),
      notSubmittedAttempts: 2,
      leftBehindAfter: milliseconds(900_000),
    },
    ...parts,
  };
}

/** What the world answers; what is not given must not be asked. */
export interface Script {
  readonly outcome?: Outcome;
  readonly evidence?: Evidence;
  readonly prepared?: CommandResult;
  /** Called before each command is carried out: the place for what others do meanwhile. */
  readonly before?: (command: Command, ledger: LedgerOfOne) => void;
  /** Drives a stepper whose saves are written and their confirmation lost, the first time. */
  readonly cutCommitOf?: OperationEvent['kind'];
}

export interface Driven {
  readonly commands: readonly Command['kind'][];
  readonly end: Extract<Command, { kind: 'finish' } | { kind: 'retry' }>;
  readonly sent: readonly Extract<Command, { kind: 'send' }>[];
  readonly asked: readonly Extract<Command, { kind: 'find' }>[];
}

/** The in-memory ledger with one operation in it. */
export class LedgerOfOne {
  readonly #ledger = new InMemoryLedger(NOON);

  constructor(...events: readonly OperationEvent[]) {
    if (events.length > 0) this.add(...events);
  }

  get now(): number {
    return this.#ledger.now;
  }

  get kinds(): OperationEvent['kind'][] {
    return this.events.map(({ kind }) => kind);
  }

  get events() {
    return this.#ledger.read(REF).events;
  }

  /** People pause the provider, or resume it. */
  pause(paused = true): void {
    this.#ledger.pauses = paused ? [{ kind: 'provider', name: 'stripe.refunds' }] : [];
  }

  advance(ms: number): void {
    this.#ledger.advance(ms);
  }

  /** What somebody else saves meanwhile. */
  add(...events: readonly OperationEvent[]): void {
    this.#ledger.write({ ...REF, before: this.events, events });
  }

  read() {
    return this.#ledger.read(REF);
  }

  save(command: Extract<Command, { kind: 'save' }>): { readonly at: number } | null {
    return this.#ledger.write({ ...REF, before: command.before, events: command.events });
  }
}

/** Drives the product's stepper to its end, as the activity does. */
export function drive(ledger: LedgerOfOne, performed: PerformSetup, script: Script = {}): Driven {
  const commands: Command['kind'][] = [];
  const sent: Extract<Command, { kind: 'send' }>[] = [];
  const asked: Extract<Command, { kind: 'find' }>[] = [];
  let cut = script.cutCommitOf;
  let { state, command } = start();
  const carryOut = (): CommandResult => {
    switch (command.kind) {
      case 'load':
        return { kind: 'loaded', ...ledger.read() };
      case 'prepare':
        return script.prepared ?? { kind: 'prepared', request: REQUEST, intent: performed.intent };
      case 'save': {
        const saved = ledger.save(command);
        if (saved !== null && command.events.some((event) => event.kind === cut)) {
          cut = undefined;
          return { kind: 'lost' };
        }
        return saved === null ? { kind: 'lost' } : { kind: 'saved', now: saved.at };
      }
      case 'send':
        sent.push(command);
        if (!script.outcome) throw new Error('The script expects no send.');
        return { kind: 'answered', outcome: script.outcome };
      case 'find':
        asked.push(command);
        if (!script.evidence) throw new Error('The script expects no query.');
        return { kind: 'found', evidence: script.evidence };
      case 'wait':
        ledger.advance(command.for);
        return { kind: 'waited' };
      default:
        throw new Error('Carried out after the end.');
    }
  };
  for (let count = 0; count < 50; count++) {
    commands.push(command.kind);
    if (command.kind === 'finish' || command.kind === 'retry') return { commands, end: command, sent, asked };
    script.before?.(command, ledger);
    ({ state, command } = step(performed, state, carryOut()));
  }
  throw new Error(`It does not end: ${commands.join(', ')}`);
}

/** What the call was told, or that its activity runs again. */
export function codeOf({ end }: Driven): string {
  return end.kind === 'finish' ? end.reply.code : end.kind;
}
