import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, jsonAnswer } from './answer';
import type { ApiRequest } from './api-request';
import { type ArmedFault, FakeClosedError } from './armed-fault';
import { substituteOf } from './canned-answer';
import type { Fact } from './fact';
import { decodeForm, fingerprintOf } from './form';
import { type IdempotencyLayer, KEY_MAX_LENGTH } from './idempotency-layer';
import { makeRefund } from './make-refund';
import type { PlannedStatuses } from './planned-statuses';
import { currentVersion, type Refund, refundObject } from './refund';
import { type RefundParams, readRefundParams } from './refund-params';
import { invalidRequest, RefusalError } from './refusal-error';
import type { SendFate } from './send';
import type { Store } from './store';

export interface CreateRefundDeps {
  readonly store: Store;
  readonly idempotency: IdempotencyLayer;
  readonly planned: PlannedStatuses;
  /** Real milliseconds between taking the key and making the refund. */
  readonly executionMs: number;
  /** Whether refusals of the business are stored with the key. */
  readonly storesRefusals: boolean;
  readonly closing: AbortSignal;
  held(request: ApiRequest, stage: 'execution'): void;
}

export interface Created {
  readonly answer: Answer;
  /** Frees the key for others. Until then they get 409. */
  done(): void;
}

/**
 * `POST /v1/refunds`, in Stripe's order: validation (never stored), the key, then the endpoint, whose answer is stored
 * whatever it is. Business refusals (already refunded, more than is left) need the payment's state, so they come after
 * the endpoint began and are stored: Stripe's page on low-level errors says that a 400 from there is repeated. It also
 * says that most 400s come from before the key; `storesRefusals: false` is the fake for that other reading.
 */
export async function createRefund(
  deps: CreateRefundDeps,
  request: ApiRequest,
  armed: ArmedFault | null,
): Promise<Created> {
  const refuse = (error: RefusalError, fate: SendFate): Created => {
    decide(deps.store, request, fate, error.status);
    return { answer: error.answer(), done: () => {} };
  };
  let params: RefundParams;
  let fingerprint: string;
  try {
    const form = decodeForm(readFormBody(request));
    fingerprint = fingerprintOf(form);
    params = readRefundParams(form, request.account, deps.store);
  } catch (error) {
    if (error instanceof RefusalError) return refuse(error, 'refused');
    throw error;
  }
  const use = deps.idempotency.begin(request.account, request.key, fingerprint);
  switch (use.kind) {
    case 'in-use':
      return refuse(keyInUse(request), 'conflict');
    case 'other-parameters':
      return refuse(keyOfOthers(request), 'mismatch');
    case 'stored': {
      const { answer, requestId } = use.stored;
      decide(deps.store, request, 'replayed', answer.status);
      const headers = { ...answer.headers, 'Idempotent-Replayed': 'true', 'Original-Request': requestId };
      return { answer: { ...answer, headers }, done: () => {} };
    }
    case 'first':
      try {
        await beforeExecution(deps, request, armed);
        return { answer: execute(deps, request, params, fingerprint, use.firstUsedAt, armed), done: use.done };
      } catch (error) {
        use.done();
        throw error;
      }
    default:
      throw new Error(`Bug: a use of a key ${JSON.stringify(use satisfies never)} is not handled.`);
  }
}

/** Notes what became of the request, where nothing else is to be noted with it. */
export function decide(store: Store, request: ApiRequest, fate: SendFate, status: number | null): void {
  store.commit([{ kind: 'send-decided', requestId: request.requestId, fate, refund: null, status }]);
}

async function beforeExecution(deps: CreateRefundDeps, request: ApiRequest, armed: ArmedFault | null): Promise<void> {
  if (deps.executionMs > 0) {
    await sleep(deps.executionMs, undefined, { signal: deps.closing }).catch((cause: unknown) => {
      throw new FakeClosedError('The fake Stripe was closed.', { cause });
    });
  }
  if (armed?.fault.kind === 'hold-execution') {
    deps.held(request, 'execution');
    await armed.hold();
  }
}

/** In one tick and one commit. */
function execute(
  deps: CreateRefundDeps,
  request: ApiRequest,
  params: RefundParams,
  fingerprint: string,
  firstUsedAt: number,
  armed: ArmedFault | null,
): Answer {
  const { store, planned } = deps;
  const { requestId, account, key } = request;
  const substitute = substituteOf(armed?.fault);
  const facts: Fact[] = [];
  let refund: Refund | null = null;
  let own: Answer | null = null;
  let stored = true;
  if (substitute === null || substitute.effect) {
    try {
      const made = makeRefund(store, params, planned.peek(), { key, requestId, byHand: false });
      refund = made.refund;
      facts.push(...made.facts);
      own = jsonAnswer(200, refundObject(refund, currentVersion(refund)));
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      own = error.answer();
      stored = deps.storesRefusals;
    }
  }
  const given = substitute?.answer ?? own;
  const kept = substitute?.store ? substitute.answer : stored ? own : null;
  if (given === null) throw new Error('Bug: an executed request has no answer.');
  if (key !== null && kept !== null) {
    facts.push({ kind: 'answer-stored', stored: { account, key, fingerprint, firstUsedAt, requestId, answer: kept } });
  }
  const fate = refund !== null ? 'executed' : own === null ? 'error' : 'refused';
  facts.push({ kind: 'send-decided', requestId, fate, refund: refund?.id ?? null, status: given.status });
  store.commit(facts);
  if (refund !== null) planned.use();
  return given;
}

function readFormBody(request: ApiRequest): string {
  if (request.key !== null && request.key.length > KEY_MAX_LENGTH) {
    throw new RefusalError(400, {
      type: 'idempotency_error',
      message: `Idempotency keys have at most ${KEY_MAX_LENGTH} characters; this one has ${request.key.length}.`,
    });
  }
  const type = request.contentType?.split(';')[0]?.trim().toLowerCase();
  if (request.body !== '' && type !== 'application/x-www-form-urlencoded') {
    throw invalidRequest('The body of a POST must have the content type application/x-www-form-urlencoded.');
  }
  return request.body;
}

function keyInUse(request: ApiRequest): RefusalError {
  return new RefusalError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `Another request with the idempotency key '${request.key}' is still in progress.`,
  });
}

function keyOfOthers(request: ApiRequest): RefusalError {
  // Clients know this one by its type and these words; it has no code.
  return new RefusalError(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `The key '${request.key}' came with others.`,
  });
}
