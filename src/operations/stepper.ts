import { willHear } from './announcements';
import { assertNever } from './assert-never';
import { closingEvents, fencingEvents } from './closing';
import type { Command, CommandResult } from './command';
import type { AnsweredEvent, OperationEvent, Recorded, RegisteredEvent, WaitingEvent } from './event';
import type { Evidence } from './evidence';
import { newEvidence } from './finding';
import { fold, type Operation } from './fold';
import { keyOf } from './key';
import { answeredEvent, markedEvent, sendCommand } from './marking';
import { isPaused } from './pause';
import type { Awaiting, Finding, PerformSetup, PerformState } from './perform';
import { isRecorded } from './recorded-answer';
import { isUnfinished, type Reply, refusedReply, replyFor, replyWith } from './reply';
import { ruling, whyNothingLeft } from './ruling';
import { isSettled } from './state';
import { milliseconds } from './time';

export interface Step {
  readonly state: PerformState;
  readonly command: Command;
}

/**
 * The engine: a pure function from (state, result of the last command) to the next command. It does no I/O, reads no
 * clock and draws no random number, so the explorer runs this very code through every interleaving.
 */
export function start(): Step {
  const state: PerformState = {
    awaiting: { kind: 'load' },
    now: 0,
    events: [],
    paused: false,
    finding: null,
    queried: false,
    answer: null,
    waited: milliseconds(0),
  };
  return { state, command: { kind: 'load' } };
}

export function step(setup: PerformSetup, state: PerformState, result: CommandResult): Step {
  const { awaiting } = state;
  switch (awaiting.kind) {
    case 'load':
      if (result.kind !== 'loaded') return unexpected(awaiting, result);
      return afterLoad(setup, {
        ...state,
        now: result.now,
        events: result.events,
        paused: result.pauses !== undefined && isPaused(result.pauses, setup),
      });
    case 'prepare':
      return afterPrepare(setup, state, awaiting, result);
    case 'mark':
      if (result.kind === 'lost') return reload(state);
      if (result.kind !== 'saved') return unexpected(awaiting, result);
      return next(
        { ...append(state, awaiting.events, result.now), finding: null },
        { kind: 'send', send: awaiting.send },
        awaiting.send,
      );
    case 'send':
      if (result.kind !== 'answered') return unexpected(awaiting, result);
      return recordAnswer(state, answeredEvent(setup, awaiting.send, result.outcome));
    case 'record-answer':
      if (result.kind === 'lost') return reload(state);
      if (result.kind !== 'saved') return unexpected(awaiting, result);
      return afterAnswer(setup, { ...append(state, [awaiting.answer], result.now), answer: null }, awaiting.answer);
    case 'find':
      if (result.kind !== 'found') return unexpected(awaiting, result);
      // A query takes its time: what is decided on it rests on a fresh read (rule 3).
      return reload({ ...state, finding: findingOf(state, result.evidence) });
    case 'record-finding':
      if (result.kind === 'lost') return reload(state);
      if (result.kind !== 'saved') return unexpected(awaiting, result);
      return decide(setup, { ...append(state, awaiting.events, result.now), finding: null });
    case 'close':
      if (result.kind === 'lost') return reload(state);
      if (result.kind !== 'saved') return unexpected(awaiting, result);
      return afterClose(setup, append(state, awaiting.events, result.now), awaiting.reply);
    case 'tell':
      if (result.kind === 'lost') return reload(state);
      if (result.kind !== 'saved') return unexpected(awaiting, result);
      return finish(append(state, awaiting.events, result.now), { kind: 'finish', reply: awaiting.reply });
    case 'wait':
      if (result.kind !== 'waited') return unexpected(awaiting, result);
      return reload({ ...state, waited: milliseconds(state.waited + setup.limits.joinPollEvery) });
    case 'nothing':
      return unexpected(awaiting, result);
    default:
      return assertNever(awaiting);
  }
}

function afterLoad(setup: PerformSetup, state: PerformState): Step {
  const { answer } = state;
  if (answer === null) return decide(setup, state);
  // Our own save may have been written although its confirmation was lost: an answer is recorded once.
  return isRecorded(answer, state.events)
    ? afterAnswer(setup, { ...state, answer: null }, answer)
    : recordAnswer(state, answer);
}

function decide(setup: PerformSetup, state: PerformState): Step {
  const operation = fold(state.events);
  const rule = ruling(setup, state, operation);
  const evidence = operation === null ? null : newEvidence(setup, state, operation);
  // What the query found goes with the mark that rests on it, unless it proves that nothing may be sent any more.
  if (evidence !== null && (rule.kind !== 'mark' || evidence.final)) {
    return next(state, { kind: 'record-finding', events: [evidence] }, save(state, [evidence]));
  }
  switch (rule.kind) {
    case 'register': {
      const key = keyOf(setup.operationId, rule.generation, setup.keyPrefix);
      const { generation } = rule;
      return next(state, { kind: 'prepare', generation, key }, { kind: 'prepare', generation, key });
    }
    case 'mark':
      return mark(setup, state, rule.operation, evidence);
    case 'find':
      return find(setup, state, rule.operation);
    case 'wait':
      return next(state, { kind: 'wait' }, { kind: 'wait', for: setup.limits.joinPollEvery });
    case 'reply':
      return tell(setup, state, rule.reply);
    case 'hold':
      return hold(state, [waitingEvent(setup)]);
    case 'drop':
      return record(state, { kind: 'dropped', generation: rule.operation.current.number, why: rule.why });
    case 'escalate':
      return record(state, { kind: 'escalated', generation: rule.operation.current.number, reason: rule.reason });
    case 'refuse':
      return refuse(setup, state, rule.reply);
    case 'give-up':
      return giveUp(setup, state, rule.operation);
    case 'superseded':
      return finish(state, { kind: 'retry', why: 'A newer attempt of this call goes on.' });
  }
}

function mark(setup: PerformSetup, state: PerformState, operation: Operation, evidence: OperationEvent | null): Step {
  const { number, registration, attempts } = operation.current;
  if (registration === null) throw new Error(`Bug: ${setup.operationId} has no request to send.`);
  const marked = markedEvent(setup, number, attempts.length + 1, state.now);
  const events = evidence === null ? [marked] : [evidence, marked];
  const send = sendCommand(setup, marked, registration);
  return next(state, { kind: 'mark', events, send }, save(state, events));
}

function afterPrepare(
  setup: PerformSetup,
  state: PerformState,
  { generation, key }: { generation: number; key: string },
  result: CommandResult,
): Step {
  if (result.kind === 'refused') return refuse(setup, state, refusedReply(result.message, setup.operationId));
  if (result.kind !== 'prepared') return unexpected({ kind: 'prepare', generation, key }, result);
  const { request, intent } = result;
  if (intent !== setup.intent) {
    const message = 'What this call is about has changed since it was planned. Look it up again.';
    return refuse(setup, state, refusedReply(message, setup.operationId));
  }
  const { tool, provider, call } = setup;
  const registered: RegisteredEvent = { kind: 'registered', generation, tool, provider, key, intent, request, call };
  if (state.paused) return hold(state, [registered, waitingEvent(setup)]);
  const earlier = fold(state.events)?.generations.find((known) => known.number === generation)?.attempts ?? [];
  const marked = markedEvent(setup, generation, earlier.length + 1, state.now);
  const send = sendCommand(setup, marked, registered);
  const events = [registered, marked];
  return next(state, { kind: 'mark', events, send }, save(state, events));
}

/** Registered and not sent: the call is told that it waits. */
function hold(state: PerformState, events: readonly OperationEvent[]): Step {
  return next(state, { kind: 'close', events, reply: null }, save(state, events));
}

function record(state: PerformState, event: OperationEvent): Step {
  return next(state, { kind: 'close', events: [event], reply: null }, save(state, [event]));
}

function waitingEvent({ generation, call }: PerformSetup): WaitingEvent {
  return { kind: 'waiting', generation, call, waitsFor: 'resume' };
}

function recordAnswer(state: PerformState, answer: AnsweredEvent): Step {
  return next({ ...state, answer }, { kind: 'record-answer', answer }, save(state, [answer]));
}

function afterAnswer(setup: PerformSetup, state: PerformState, { outcome }: AnsweredEvent): Step {
  const operation = recordOf(setup, state);
  if (outcome.kind === 'accepted' && outcome.replayed && setup.hasQuery) return find(setup, state, operation);
  if (outcome.kind !== 'not-submitted') return reply(setup, state);
  switch (ruling(setup, state, operation).kind) {
    // One send an execution: what is still to be done is left to the activity's next attempt.
    case 'mark':
    case 'register':
    case 'find':
    case 'wait':
      return finish(state, { kind: 'retry', why: outcome.why });
    default:
      return decide(setup, state);
  }
}

/** Fences the call, then tells it that it was refused. */
function refuse(setup: PerformSetup, state: PerformState, reply: Reply): Step {
  const events = fencingEvents(fold(state.events), { ...setup, why: reply.text });
  if (events.length === 0) return finish(state, { kind: 'finish', reply });
  return next(state, { kind: 'close', events, reply }, save(state, events));
}

function afterClose(setup: PerformSetup, state: PerformState, told: Reply | null): Step {
  return told === null ? reply(setup, state) : finish(state, { kind: 'finish', reply: told });
}

function giveUp(setup: PerformSetup, state: PerformState, operation: Operation): Step {
  const whys = whyNothingLeft(setup, operation);
  const why = `Given up after ${whys.length} attempts that did not leave: ${whys.at(-1)}`;
  const events = closingEvents(operation, { ...setup, why }, state.events);
  // Where the registration stands for another call, the operation has no reason of its own to tell.
  const subject = { ...setup, callId: setup.call.callId, activityAttempt: setup.call.activityAttempt };
  const told =
    operation.state === 'registered' && operation.current.waitsFor === null
      ? replyWith('not_submitted', { ...operation, reason: why }, subject)
      : null;
  return next(state, { kind: 'close', events, reply: told }, save(state, events));
}

/** The state is still the one that the query began on. */
function findingOf({ now: begunAt, events }: PerformState, evidence: Evidence): Finding {
  return { evidence, begunAt, version: events.length };
}

function find({ purpose }: PerformSetup, state: PerformState, operation: Operation): Step {
  const { current, generations } = operation;
  if (current.registration === null) throw new Error('Bug: nothing was registered, so there is nothing to look for.');
  const keys = generations.flatMap(({ registration }) => (registration === null ? [] : [registration.key]));
  const since = Math.min(
    state.now,
    ...generations.flatMap(({ attempts }) => attempts.map(({ decidedAt }) => decidedAt)),
  );
  const { request } = current.registration;
  // An alarm is about more than one number, and of what is settled reconciliation asks only whether there is more.
  const isAboutAll = operation.alarms.length > 0 || (purpose === 'reconcile' && isSettled(operation.state));
  const externalId = isAboutAll ? null : operation.externalId;
  return next({ ...state, queried: true }, { kind: 'find' }, { kind: 'find', request, keys, externalId, since });
}

function recordOf({ operationId }: PerformSetup, { events }: PerformState): Operation {
  const operation = fold(events);
  if (operation === null) throw new Error(`Bug: the record of ${operationId} is gone.`);
  return operation;
}

function reply(setup: PerformSetup, state: PerformState): Step {
  const operation = recordOf(setup, state);
  const subject = { ...setup, callId: setup.call.callId, activityAttempt: setup.call.activityAttempt };
  return tell(setup, state, replyFor(operation, subject, state.now));
}

/** Whoever is told something unfinished hears how it ends: a session that had no part in it yet is noted first. */
function tell(setup: PerformSetup, state: PerformState, reply: Reply): Step {
  const { purpose, call } = setup;
  const operation = recordOf(setup, state);
  const isPromise = (purpose === 'send' || purpose === 'look') && call.sessionId !== '' && isUnfinished(reply.code);
  if (!isPromise || willHear(operation, state.events, call.sessionId)) {
    return finish(state, { kind: 'finish', reply });
  }
  const told: OperationEvent = { kind: 'told', generation: operation.current.number, call };
  return next(state, { kind: 'tell', events: [told], reply }, save(state, [told]));
}

function append(state: PerformState, events: readonly OperationEvent[], at: number): PerformState {
  const recorded = events.map((event, index): Recorded => ({ ...event, seq: state.events.length + index + 1, at }));
  // A clock that was set back since the read opens no bound again that was over then (rules 6 and 7).
  return { ...state, now: Math.max(state.now, at), events: [...state.events, ...recorded] };
}

function save(state: PerformState, events: readonly OperationEvent[]): Command {
  return { kind: 'save', before: state.events, events };
}

function next(state: PerformState, awaiting: Awaiting, command: Command): Step {
  return { state: { ...state, awaiting }, command };
}

function reload(state: PerformState): Step {
  return next(state, { kind: 'load' }, { kind: 'load' });
}

function finish(state: PerformState, command: Command): Step {
  return next(state, { kind: 'nothing' }, command);
}

function unexpected(awaiting: Awaiting, result: CommandResult): never {
  throw new Error(`Bug: awaiting ${awaiting.kind}, the driver brought ${result.kind}.`);
}
