import type { PlannedCall } from '../conversations/plan';
import { type CallPlace, callIdOf } from '../conversations/refs';
import { readStep } from '../conversations/steps';
import type { Database } from '../ledger/database';
import type { Caller } from '../tools/caller';

/** A scheduled call with what was stored of it. */
export interface StoredCall {
  readonly planned: Exclude<PlannedCall, { kind: 'refused' }>;
  /** The model's arguments, as they came. */
  readonly input: unknown;
  readonly caller: Caller;
}

export async function storedCall(database: Database, place: CallPlace): Promise<StoredCall> {
  const { step, customer } = await readStep(database, place);
  const planned = step?.plan?.find((call) => call.position === place.position);
  const call = step?.answer.calls.find(({ position }) => position === place.position);
  if (!planned || !call || planned.kind === 'refused') throw new Error(`Bug: ${callIdOf(place)} was never planned.`);
  const { tenant, sessionId } = place;
  return { planned, input: call.input, caller: { tenant, customer, sessionId, callId: callIdOf(place) } };
}
