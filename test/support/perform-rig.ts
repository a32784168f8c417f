import { LateAnswers } from '../../src/activities/late-answers';
import { type PerformEnd, type Prepared, perform } from '../../src/activities/perform';
import type { Ledger, LedgerSave, OperationRef } from '../../src/ledger/ledger';
import type { Contract } from '../../src/operations/contract';
import type { OperationEvent } from '../../src/operations/event';
import type { Outcome } from '../../src/operations/outcome';
import type { PerformLimits, PerformSetup } from '../../src/operations/perform';
import { hours, milliseconds, minutes, seconds } from '../../src/operations/time';
import type { Provider } from '../../src/providers/provider';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { callRef, RECEIPT, REQUEST, T0 } from './fixtures';

export const CONTRACT: Contract = {
  key: { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' },
  absence: 'inconclusive',
  sendWithin: seconds(10),
  deliverWithin: minutes(15),
  answerWithin: seconds(30),
  acceptedFor: hours(1),
  escalateAfter: hours(24),
};

export const LIMITS: PerformLimits = {
  joinWithin: milliseconds(20),
  joinPollEvery: milliseconds(10),
  notSubmittedAttempts: 5,
  leftBehindAfter: milliseconds(900_000),
};

export const CONFIRMED: Outcome = { kind: 'confirmed', externalId: 're_1', receipt: RECEIPT };

type Send = Provider<unknown>['send'];
type Find = NonNullable<Provider<unknown>['find']>;
type Hook = () => void | Promise<void>;

export interface PerformRigOptions {
  readonly contract?: Partial<Contract>;
  readonly send?: Send;
  /** Left out: a provider that cannot be asked. */
  readonly find?: Find;
  readonly prepare?: () => Promise<Prepared>;
  readonly checkCancelled?: () => void;
  readonly ledger?: Ledger;
}

/**
 * The driver over a watched ledger and a provider written in the test. `trail` tells everything that happened, in
 * order: what the ledger was asked (`load`, `save registered, marked`), and `check`, `prepare`, `send`, `find`.
 */
export class PerformRig {
  readonly trail: string[] = [];
  readonly ledger: WatchedLedger;
  readonly provider: Provider<unknown>;
  readonly lateAnswers: LateAnswers;
  /** Operations whose late answers were lost for good. */
  readonly lost: string[] = [];
  readonly #options: PerformRigOptions;

  constructor(options: PerformRigOptions = {}) {
    const { find, send = async () => CONFIRMED } = options;
    this.#options = options;
    this.ledger = new WatchedLedger(options.ledger ?? new InMemoryLedger(T0), this.trail);
    this.provider = {
      name: 'testing.refunds',
      contract: { ...CONTRACT, ...options.contract },
      sharedAccount: false,
      encode: () => REQUEST,
      send: (request) => {
        this.trail.push('send');
        return send(request);
      },
      ...(find && {
        find: (query) => {
          this.trail.push('find');
          return find(query);
        },
      }),
    };
    this.lateAnswers = new LateAnswers(this.ledger, (operationId) => this.lost.push(operationId));
  }

  /** One execution of the call: the first attempt of the first call unless told otherwise. */
  run(change: Partial<PerformSetup> = {}): Promise<PerformEnd> {
    const { provider, ledger, lateAnswers } = this;
    const { prepare, checkCancelled } = this.#options;
    const { contract } = provider;
    return perform(
      {
        ...{ operationId: 'refund-1043-li_2', tool: 'refund_line_item', provider: provider.name, purpose: 'send' },
        ...{ generation: 1, intent: '{"quantity":1}', call: callRef(), contract, keyPrefix: '', limits: LIMITS },
        hasQuery: provider.find !== undefined,
        ...change,
      },
      {
        ...{ tenant: 'shop', ledger, provider, lateAnswers },
        prepare: async () => {
          this.trail.push('prepare');
          return prepare ? await prepare() : { kind: 'prepared', request: REQUEST, intent: '{"quantity":1}' };
        },
        checkCancelled: () => {
          this.trail.push('check');
          checkCancelled?.();
        },
      },
    );
  }

  async events(): Promise<readonly OperationEvent[]> {
    return (await this.ledger.inner.load({ tenant: 'shop', operationId: 'refund-1043-li_2' })).events;
  }

  /** The outcomes of all answers, in the order in which they were recorded. */
  async answers(): Promise<readonly Outcome[]> {
    return (await this.events()).flatMap((event) => (event.kind === 'answered' ? [event.outcome] : []));
  }
}

/** A ledger that tells what it was asked, and fails on command. */
export class WatchedLedger implements Ledger {
  readonly inner: Ledger;
  readonly #trail: string[];
  readonly #before: { load: Hook[]; save: Hook[] } = { load: [], save: [] };
  readonly #after: { load: Hook[]; save: Hook[] } = { load: [], save: [] };

  constructor(inner: Ledger, trail: string[] = []) {
    this.inner = inner;
    this.#trail = trail;
  }

  /** Runs before the next loads or saves reach the ledger, one hook each. What it throws, the ledger throws. */
  before(kind: 'load' | 'save', ...hooks: Hook[]): void {
    this.#before[kind].push(...hooks);
  }

  /** Runs after the next loads or saves are done, one hook each: an error there is a confirmation that was lost. */
  after(kind: 'load' | 'save', ...hooks: Hook[]): void {
    this.#after[kind].push(...hooks);
  }

  async load(ref: OperationRef): ReturnType<Ledger['load']> {
    this.#trail.push('load');
    await this.#before.load.shift()?.();
    const read = await this.inner.load(ref);
    await this.#after.load.shift()?.();
    return read;
  }

  async save(save: LedgerSave): ReturnType<Ledger['save']> {
    this.#trail.push(`save ${save.events.map(({ kind }) => kind).join(', ')}`);
    await this.#before.save.shift()?.();
    const saved = await this.inner.save(save);
    await this.#after.save.shift()?.();
    return saved;
  }
}

export function outOfReach(): never {
  throw new Error('The ledger is out of reach.');
}
