import { randomBytes } from 'node:crypto';
import { checkedEvidence, checkedOutcome } from '../../activities/checked-answers';
import type { Evidence } from '../../operations/evidence';
import { keyPrefix } from '../../operations/key';
import type { Outcome } from '../../operations/outcome';
import type { StoredRequest } from '../../operations/request';
import type { EffectMark, Provider, SendDeadline } from '../../providers/provider';
import { ConformanceSetupError } from './conformance-setup-error';
import type { Downstream, DownstreamAddress, DownstreamEffect, DownstreamFault, DownstreamRequest } from './downstream';
import { broken } from './promise';
import type { MadeEffect, ProviderCheck } from './provider-check';
import { counted, shown } from './shown';

/** One operation with its stored request, to be sent, resent and looked for. */
export interface Subject extends EffectMark {
  readonly request: StoredRequest;
}

/** How a send ended, and what the downstream saw of it. */
export interface Sent {
  readonly outcome: Outcome;
  readonly requests: readonly DownstreamRequest[];
  readonly effects: readonly DownstreamEffect[];
}

/** Nobody listens there: port 1 is reserved. */
const NOWHERE: DownstreamAddress = { url: 'http://127.0.0.1:1', host: '127.0.0.1', port: 1, protocol: 'http' };

export const TENANT = 'conformance';
const IN_TIME: SendDeadline = { remainingMs: () => 10_000 };

/** The provider in front of its downstream, and the counts on both sides. */
export class ProviderWorld {
  readonly check: ProviderCheck<unknown>;
  readonly downstream: Downstream;
  /** What the provider has; the instance that sends is made once the downstream stands. */
  readonly parts: Provider<unknown>;
  #provider: Provider<unknown> | null = null;
  #operations = 0;
  /** A sandbox keeps what earlier runs made: IDs are new in each run. */
  readonly #run = randomBytes(4).toString('hex');

  constructor(check: ProviderCheck<unknown>) {
    this.check = check;
    this.downstream = check.downstream;
    this.parts = check.provider(NOWHERE);
  }

  async start(): Promise<void> {
    this.#provider = this.check.provider(await this.downstream.start());
  }

  stop(): Promise<void> {
    return this.downstream.stop();
  }

  get provider(): Provider<unknown> {
    if (this.#provider === null) throw new ConformanceSetupError('The downstream has not been started.');
    return this.#provider;
  }

  /** Marks that were never used. */
  newMark(tenant = TENANT): EffectMark {
    return this.markOf(`conformance-${this.#run}-${++this.#operations}`, tenant);
  }

  markOf(operationId: string, tenant = TENANT): EffectMark {
    return { operationId, key: `${keyPrefix(tenant, this.parts.sharedAccount)}${operationId}` };
  }

  async newSubject(mark = this.newMark()): Promise<Subject> {
    return this.subjectOf(await this.check.request(), mark);
  }

  subjectOf(request: unknown, mark: EffectMark): Subject {
    return { ...mark, request: this.provider.encode(request, mark) };
  }

  /** The send and whatever it does, as the engine takes it: what it throws is unknown. */
  outcomeOf({ request, operationId, key }: Subject, deadline: SendDeadline = IN_TIME): Promise<Outcome> {
    return checkedOutcome(() => this.provider.send({ request, operationId, key, deadline }));
  }

  async send(subject: Subject, deadline?: SendDeadline): Promise<Sent> {
    const seen = await this.watch();
    const outcome = await this.outcomeOf(subject, deadline);
    return { outcome, ...(await seen()) };
  }

  /** A new operation, sent while the downstream does this to its request. */
  async sendUnder(fault: DownstreamFault): Promise<Sent> {
    const subject = await this.newSubject();
    this.downstream.treatNext(fault);
    try {
      return await this.send(subject);
    } finally {
      this.downstream.calm();
    }
  }

  /** What arrived and what came to exist since. */
  async watch(): Promise<() => Promise<Pick<Sent, 'requests' | 'effects'>>> {
    const before = this.downstream.requests().length;
    const known = new Set((await this.downstream.effects()).map(({ externalId }) => externalId));
    return async () => ({
      requests: this.downstream.requests().slice(before),
      effects: (await this.downstream.effects()).filter(({ externalId }) => !known.has(externalId)),
    });
  }

  /** Sends an operation that must take effect; without that nothing else can be shown. */
  async make(subject: Subject): Promise<MadeEffect> {
    const { outcome, requests, effects } = await this.send(subject);
    if (requests.length === 0) {
      throw new ConformanceSetupError(
        `Nothing arrived at the downstream (outcome: ${told(outcome)}). Point the provider at the address that it is given, ` +
          'or say isForEffect where its request is no POST, PUT, PATCH or DELETE.',
      );
    }
    const [effect] = effects;
    if (effect === undefined) {
      throw new ConformanceSetupError(
        `The downstream counts no effect of a request that it answered (outcome: ${told(outcome)}). Its effects() must give all that exists, and request() something it carries out.`,
      );
    }
    if (effects.length > 1) throw broken(`One send made ${counted(effects.length, 'effect')}.`);
    if (outcome.kind !== 'confirmed' && outcome.kind !== 'accepted') {
      throw broken(`${effect.externalId} was made and answered, and the outcome is ${told(outcome)}.`);
    }
    if (outcome.externalId !== effect.externalId) {
      throw broken(`${effect.externalId} was made, and the outcome names ${outcome.externalId}.`);
    }
    return {
      externalId: effect.externalId,
      operationId: subject.operationId,
      key: subject.key,
      body: subject.request.body,
    };
  }

  /** What the query shows, as the engine takes it: what it throws is inconclusive. */
  find(
    { request, operationId, key }: Subject,
    {
      externalId = null,
      keys = [key],
    }: { readonly externalId?: string | null; readonly keys?: readonly string[] } = {},
  ): Promise<Evidence> {
    const since = Date.now() - 60_000;
    return checkedEvidence(async () => this.provider.find?.({ request, operationId, keys, externalId, since }));
  }
}

/** An outcome or evidence in a few words. */
export function told(given: Outcome | Evidence): string {
  if ('why' in given) return `${given.kind} (${given.why})`;
  if (given.kind === 'rejected') return `rejected (${given.code}: ${given.message})`;
  if (given.kind === 'found')
    return `found ${shown(given.effects.map(({ externalId, mismatch }) => ({ externalId, mismatch })))}`;
  return 'externalId' in given ? `${given.kind} ${given.externalId}` : given.kind;
}
