import { callTruthOf } from './call-truth';
import { asOfEarlier } from './earlier-generation';
import type { Operation } from './fold';
import { replyText } from './reply-text';
import { type State, stateAt } from './state';
import type { Instant } from './time';

/** The codes a model can get; those of the second list come with the error flag. */
const PLAIN_CODES = ['done', 'already_done', 'in_progress', 'waiting', 'approval_required'] as const;
const ERROR_CODES = ['outcome_unknown', 'escalated', 'rejected', 'not_submitted', 'conflict', 'invalid_input'] as const;

/** What a call is told, in one word. `outcome_unknown`, `escalated` and `conflict` do not mean that there was no effect. */
export type ReplyCode = (typeof PLAIN_CODES)[number] | (typeof ERROR_CODES)[number];
export const REPLY_CODES: readonly ReplyCode[] = [...PLAIN_CODES, ...ERROR_CODES];

/** What the model may do next. `query-status` means the tool `operation_status`. */
export type RetryAction = 'none' | 'query-status' | 'new-input' | 'same-request';

/** What a call tells the model (design, section 3): exactly what is known, and what comes next. */
export interface Reply {
  readonly text: string;
  readonly isError: boolean;
  readonly code: ReplyCode;
  readonly retryAction: RetryAction;
  /** Null where no operation was computed, for example for malformed arguments. */
  readonly operationId: string | null;
  readonly externalId: string | null;
  /** Attempts of the current generation. */
  readonly attempts: number;
}

export interface ReplySubject {
  readonly tool: string;
  readonly operationId: string;
  readonly callId: string;
  readonly activityAttempt: number;
  /** The generation the call was planned for; without it, the current one. */
  readonly generation?: number;
}

/** The operation's truth for this call, now. */
export function replyFor(operation: Operation, subject: ReplySubject, now: Instant): Reply {
  const earlier = asOfEarlier(operation, subject.generation ?? operation.current.number);
  if (earlier) return replyWith('rejected', earlier, subject);
  const state = stateAt(operation, now, subject);
  return replyWith(codeFor(operation, state, subject.callId), operation, subject);
}

export function replyWith(code: ReplyCode, operation: Operation, subject: ReplySubject): Reply {
  return {
    text: replyText(code, operation, subject),
    isError: isErrorCode(code),
    code,
    retryAction: retryActionOf(code),
    operationId: subject.operationId,
    externalId: operation.externalId,
    attempts: operation.current.attempts.length,
  };
}

/** The call was refused before anything was registered. */
export function refusedReply(message: string, operationId: string | null = null): Reply {
  return {
    text: `${asSentence(message)} Nothing was sent.`.trimStart(),
    isError: true,
    code: 'invalid_input',
    retryAction: retryActionOf('invalid_input'),
    operationId,
    externalId: null,
    attempts: 0,
  };
}

/** A tool that only reads refused the call. It sends nothing anyway, and to say so would read as news of an operation. */
export function refusedRead(message: string): Reply {
  return {
    ...refusedReply(message),
    text: `${asSentence(message)} This call only reads and changed nothing.`.trimStart(),
  };
}

/** Refusals are written by people, with a full stop or without one. */
function asSentence(message: string): string {
  const text = message.trim();
  return text === '' || /[.!?…][”’"')]?$/.test(text) ? text : `${text}.`;
}

export function isErrorCode(code: ReplyCode): boolean {
  return (ERROR_CODES as readonly ReplyCode[]).includes(code);
}

export function retryActionOf(code: ReplyCode): RetryAction {
  switch (code) {
    case 'outcome_unknown':
    case 'in_progress':
    case 'waiting':
    case 'approval_required':
    case 'escalated':
      return 'query-status';
    case 'invalid_input':
    case 'conflict':
      return 'new-input';
    case 'not_submitted':
      return 'same-request';
    case 'done':
    case 'already_done':
    case 'rejected':
      return 'none';
  }
}

function codeFor(operation: Operation, state: State, callId: string): ReplyCode {
  switch (state) {
    case 'confirmed': {
      const sentByThisCall = callTruthOf(operation.calls, callId).marked.includes(operation.current.number);
      return sentByThisCall ? 'done' : 'already_done';
    }
    case 'accepted':
    case 'submitted':
      return 'in_progress';
    case 'unknown':
      return 'outcome_unknown';
    case 'rejected':
      return 'rejected';
    case 'escalated':
      return 'escalated';
    case 'registered':
      return operation.current.waitsFor === null ? 'not_submitted' : 'waiting';
    case 'dropped':
      return 'not_submitted';
  }
}

/** Codes after which there is nothing more to hear of the operation, as it stands. */
export const FINAL_CODES: readonly ReplyCode[] = ['done', 'already_done', 'rejected', 'not_submitted'];

/** Codes after which the customer was promised to hear how it ends. */
const UNFINISHED: readonly ReplyCode[] = [
  'in_progress',
  'waiting',
  'approval_required',
  'outcome_unknown',
  'escalated',
];

export function isUnfinished(code: ReplyCode): boolean {
  return UNFINISHED.includes(code);
}
