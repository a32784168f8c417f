import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer';
import { type ApiRequest, readApiRequest } from './api-request';
import { type ArmedFault, FakeClosedError } from './armed-fault';
import { answerBefore, substituteOf } from './canned-answer';
import { type Created, type CreateRefundDeps, createRefund, decide } from './create-refund';
import { hangUp, sendAnswer, sendCutAnswer } from './deliver-answer';
import type { FaultTable } from './fault-table';
import type { Narration } from './narration';
import { type QueryOptions, query } from './queries';
import { RefusalError } from './refusal-error';
import { type Route, routeOf } from './route';

export interface ApiDeps extends Omit<CreateRefundDeps, 'held'>, QueryOptions {
  readonly faults: FaultTable;
  readonly narration: Narration;
  /** The only key that is let in; null lets every one in. */
  readonly apiKey: string | null;
}

/** One request of the API from its arrival to its end, with the fault it meets at each stage. */
export async function handleApiRequest(
  deps: ApiDeps,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await readApiRequest(incoming);
  const route = routeOf(request);
  try {
    await handle(deps, request, route, response);
  } catch (error) {
    if (error instanceof FakeClosedError) {
      if (isWaiting(deps, request)) decide(deps.store, request, 'dropped', null);
    } else {
      // A bug, or a journal that cannot be written. A send stays `waiting` then: nobody knows better.
      process.emitWarning(`The fake Stripe failed at ${request.method} ${request.path}: ${String(error)}`);
    }
    hangUp(response, 'close');
  }
}

async function handle(deps: ApiDeps, request: ApiRequest, route: Route, response: ServerResponse): Promise<void> {
  const about = { requestId: request.requestId, route: route.name, key: request.key };
  const isSend = route.name === 'create';
  // Counted before anything can go wrong with it.
  if (isSend) countArrival(deps, request);
  if (!request.whole) return;
  const armed = deps.faults.take(route.name, request.key);
  const fault = armed?.fault;

  if (fault?.kind === 'drop-request') {
    if (isSend) decide(deps.store, request, 'dropped', null);
    deps.narration.tell({ kind: 'request-dropped', ...about });
    hangUp(response, fault.how ?? 'close');
    return;
  }
  if (fault?.kind === 'hold-request') {
    deps.narration.tell({ kind: 'held', stage: 'request', ...about });
    await armed?.hold();
  }

  const { answer, done } = await answerOf(deps, request, route, armed);
  if (fault?.kind !== 'hold-answer' || fault.keyInUse !== true) done();
  try {
    switch (fault?.kind) {
      case 'drop-answer':
        deps.narration.tell({ kind: 'answer-dropped', ...about });
        hangUp(response, fault.how ?? 'close');
        return;
      case 'cut-body':
        await sendCutAnswer(response, request, answer, fault.how ?? 'close');
        deps.narration.tell({ kind: 'answer-cut', ...about });
        return;
      case 'hold-answer':
        deps.narration.tell({ kind: 'held', stage: 'answer', ...about });
        await armed?.hold();
        break;
      case 'slow-answer':
        await sleep(fault.ms, undefined, { signal: deps.closing }).catch((cause: unknown) => {
          throw new FakeClosedError('The fake Stripe was closed.', { cause });
        });
    }
  } finally {
    done();
  }
  if (await sendAnswer(response, request, answer)) {
    if (isSend) deps.store.commit([{ kind: 'answer-left', requestId: request.requestId }]);
    const replayed = 'Idempotent-Replayed' in answer.headers;
    deps.narration.tell({ kind: 'answered', status: answer.status, replayed, ...about });
  } else {
    deps.narration.tell({ kind: 'answer-lost', ...about });
  }
}

/** What the API says, or what a fault says in its place. */
async function answerOf(deps: ApiDeps, request: ApiRequest, route: Route, armed: ArmedFault | null): Promise<Created> {
  const about = { requestId: request.requestId, route: route.name, key: request.key };
  const isSend = route.name === 'create';
  const plain = (answer: Answer): Created => ({ answer, done: () => {} });
  const before = answerBefore(armed?.fault);
  if (before !== null) {
    if (isSend) decide(deps.store, request, 'error', before.status);
    return plain(before);
  }
  try {
    authenticate(request, deps.apiKey);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    if (isSend) decide(deps.store, request, 'refused', error.status);
    return plain(error.answer());
  }
  if (isSend) {
    const held = () => deps.narration.tell({ kind: 'held', stage: 'execution', ...about });
    return createRefund({ ...deps, held }, request, armed);
  }
  const substitute = substituteOf(armed?.fault);
  if (substitute !== null) return plain(substitute.answer);
  try {
    const { answer, found } = query(route, request, deps.store, deps);
    deps.narration.tell({ kind: 'queried', account: request.account, found, ...about });
    return plain(answer);
  } catch (error) {
    if (error instanceof RefusalError) return plain(error.answer());
    throw error;
  }
}

function countArrival(deps: ApiDeps, request: ApiRequest): void {
  const { requestId, account, key, body, version, whole } = request;
  const fate = whole ? 'waiting' : 'incomplete';
  const at = deps.store.now();
  const send = {
    requestId,
    at,
    account,
    key,
    body,
    version,
    fate,
    refund: null,
    status: null,
    answerLeft: false,
  } as const;
  deps.store.commit([{ kind: 'send-arrived', send }]);
}

function isWaiting(deps: ApiDeps, request: ApiRequest): boolean {
  return deps.store.send(request.requestId)?.fate === 'waiting';
}

/** Before everything else, and before the key is looked at: a 401 is never stored. */
function authenticate(request: ApiRequest, apiKey: string | null): void {
  const given = /^Bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1];
  if (given !== undefined && (apiKey === null || given === apiKey)) return;
  const message =
    given === undefined
      ? 'You did not provide an API key: it goes into the Authorization header, as Bearer.'
      : 'Invalid API Key provided.';
  throw new RefusalError(401, { type: 'invalid_request_error', message });
}
