import type { TranscriptTurn } from '../../src/conversations/transcript';
import type { Recorded } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import { FINAL_CODES, isUnfinished, type Reply } from '../../src/operations/reply';
import type { State } from '../../src/operations/state';
import type { Report } from '../../src/testing/fake-stripe/report';
import { AMOUNT, CURRENCY } from './fault-worker';

export type Effect = Report['effects'][number];
export type Send = Report['sends'][number];

/** What is known of one operation when its cell has ended: what the provider did, what we say, what was told. */
export interface Run {
  readonly operationId: string;
  /** Counted by the provider, by payment: whatever ID or key they bear. */
  readonly effects: readonly Effect[];
  readonly sends: readonly Send[];
  readonly events: readonly Recorded[];
  /** The turns of its only session, oldest first. */
  readonly turns: readonly TranscriptTurn[];
  /** Follow-ups that the hook was handed. */
  readonly delivered: ReadonlySet<string>;
  /** Status of each workflow of the session, by workflow ID. */
  readonly workflows: ReadonlyMap<string, string>;
  /** Messages about it that still wait to be told. */
  readonly untold: number;
  /** Whether people were called for it. */
  readonly escalated: boolean;
}

export interface Judged {
  readonly run: Run;
  /** Null where the ledger does not know it. */
  readonly state: State | null;
  /** What must not be; empty for a right run. */
  readonly wrong: readonly string[];
  /** What has not come to its end; empty for a run that has. */
  readonly open: readonly string[];
}

const ENDS: readonly State[] = ['confirmed', 'rejected', 'dropped', 'escalated'];
/** What says that there is no effect and that none can come. */
const SAYS_NONE: readonly Reply['code'][] = ['rejected', 'not_submitted', 'invalid_input', 'conflict'];
const SAYS_NOTHING_WAS_DONE = /had no effect|nothing was sent/;

/** Judges by the provider's count: the ledger is the accused, not the witness. */
export function judge(run: Run): Judged {
  const operation = fold(run.events);
  const state = operation?.state ?? null;
  const externalId = operation?.externalId ?? null;
  const wrong: string[] = [];
  const open: string[] = [];
  const replies = repliesOf(run);
  const followUps = run.turns.filter(({ kind }) => kind === 'follow_up');
  const [effect] = run.effects;

  if (run.effects.length > 1)
    wrong.push(`${run.effects.length} effects: ${run.effects.map(({ id }) => id).join(', ')}`);
  for (const { id, amount, currency } of run.effects) {
    if (amount !== AMOUNT || currency !== CURRENCY) wrong.push(`${id} is ${amount} ${currency}`);
  }

  if (state === null || !ENDS.includes(state)) open.push(`the operation is ${state ?? 'not in the ledger'}`);
  if (state === 'confirmed' && effect === undefined) wrong.push('confirmed, and the provider has nothing');
  const isOurs = (id: string | null) => run.effects.some((each) => each.id === id);
  if (state === 'confirmed' && effect !== undefined && !isOurs(externalId)) {
    wrong.push(`confirmed as ${externalId}, and the provider has ${effect.id}`);
  }
  if ((state === 'rejected' || state === 'dropped') && effect !== undefined) {
    wrong.push(`${state}, and the provider has ${effect.id}`);
  }
  for (const alarm of operation?.alarms ?? []) wrong.push(`alarm: ${alarm}`);
  if (state === 'escalated' && !run.escalated) open.push('escalated, and nobody was called');

  for (const { code, text, externalId: told } of replies) {
    if (SAYS_NONE.includes(code) && effect !== undefined) {
      wrong.push(`the model was told ${code} ("${text}"), and the provider has ${effect.id}`);
    }
    if ((code === 'done' || code === 'already_done') && !isOurs(told)) {
      wrong.push(`the model was told ${code} as ${told}, and the provider has ${effect?.id ?? 'nothing'}`);
    }
  }
  for (const { message } of followUps) {
    const isTrue =
      effect === undefined ? SAYS_NOTHING_WAS_DONE.test(message) : run.effects.some(({ id }) => message.includes(id));
    if (!isTrue) wrong.push(`the session was told "${message}", and the provider has ${effect?.id ?? 'nothing'}`);
  }

  const last = replies.at(-1);
  if (last === undefined) open.push('the model was told nothing');
  const ends = (last !== undefined && FINAL_CODES.includes(last.code) ? 1 : 0) + followUps.length;
  if (ends > 1) wrong.push(`the session heard the end ${ends} times`);
  if (state !== 'escalated' && last !== undefined && isUnfinished(last.code) && followUps.length === 0) {
    open.push(`the session was told ${last.code} and never heard the end`);
  }
  if (run.untold > 0) open.push(`${run.untold} messages wait to be told`);
  for (const { turn, outcome } of run.turns) {
    if (outcome === null) open.push(`turn ${turn} has not ended`);
    else if (outcome !== 'answered') wrong.push(`turn ${turn} ended ${outcome}`);
  }
  const handed = [...run.workflows.keys()].filter((id) => followUps.some(({ turn }) => id.endsWith(`/${turn}`)));
  for (const id of handed) if (!run.delivered.has(id)) open.push(`${id} was not handed to the hook`);
  for (const [id, status] of run.workflows) {
    if (status === 'RUNNING' || status === 'NOT FOUND') open.push(`${id} is ${status}`);
    else if (status !== 'COMPLETED') wrong.push(`${id} is ${status}`);
  }
  return { run, state, wrong, open };
}

export function repliesOf({ turns }: Pick<Run, 'turns'>): readonly Reply[] {
  return turns.flatMap(({ steps }) => steps.flatMap(({ results }) => results.map(({ reply }) => reply)));
}
