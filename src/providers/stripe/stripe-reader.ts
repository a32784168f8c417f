import { performance } from 'node:perf_hooks';
import type { StoredRequest } from '../../operations/request';
import { readAnswer } from './read-answer';
import { withoutSecrets } from './receipt';
import type { AnswerHeaders } from './single-try';
import type { StripeConnection } from './stripe-client';
import { said } from './stripe-refusals';

/** One question, and all questions of one look together: a look must end before its activity does. */
const QUESTION_MS = 10_000;
const LOOK_MS = 25_000;

/** A page of 100 events with their objects has some 500 kB. */
const MAX_PAGE_BYTES = 16_000_000;

type Read =
  | { readonly ok: true; readonly json: unknown }
  /** `retryAfterMs`: for how long Stripe asks to be left alone; null where it does not say. */
  | { readonly ok: false; readonly why: string; readonly retryAfterMs: number | null };

/** Asks Stripe; only a whole HTTP 200 with JSON and no error in it is an answer (S25). */
export type StripeReader = (path: string) => Promise<Read>;

/** A reader for one look, on the account and in the version of the stored request. Its time begins now. */
export function stripeReader(connection: StripeConnection, request: StoredRequest): StripeReader {
  const lookEnds = performance.now() + LOOK_MS;
  return async (path) => {
    const ends = Math.min(performance.now() + QUESTION_MS, lookEnds);
    const remainingMs = () => ends - performance.now();
    const { result, secrets } = await connection.get(path, request, {
      remainingMs,
      answerBoundMs: remainingMs,
      holdsProcessMs: QUESTION_MS,
      maxAnswerBytes: MAX_PAGE_BYTES,
    });
    const retryAfterMs = result.kind === 'answered' ? retryAfterOf(result.headers) : null;
    const failed = (why: string): Read => ({
      ok: false,
      retryAfterMs,
      why: withoutSecrets(`GET ${path.replace(/\?.*/, '')}: ${why}`, secrets),
    });
    if (result.kind !== 'answered') return failed(result.why);
    const { status, json, error, hasError } = readAnswer(result);
    if (error !== null) return failed(`HTTP ${status} (${said(error)})`);
    if (status !== 200 || json === undefined || hasError) return failed(`HTTP ${status} without Stripe's JSON`);
    return { ok: true, json };
  };
}

/** Seconds, as Stripe gives them. */
function retryAfterOf({ 'retry-after': given }: AnswerHeaders): number | null {
  return typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) * 1_000 : null;
}
