import { announcementsOf } from '../../operations/announcements';
import { closingEvents } from '../../operations/closing';
import { fold } from '../../operations/fold';
import { keyOf } from '../../operations/key';
import { answeredEvent } from '../../operations/marking';
import { plannedGeneration } from '../../operations/plan';
import { replyFor } from '../../operations/reply';
import { resolve } from '../../operations/resolution';
import { start, step } from '../../operations/stepper';

/**
 * The rules that are explored: the product's own, never a copy. A test may wrap one of them to plant a mistake and see
 * that the explorer finds it.
 */
export interface Engine {
  readonly keyOf: typeof keyOf;
  readonly start: typeof start;
  readonly step: typeof step;
  readonly fold: typeof fold;
  readonly closingEvents: typeof closingEvents;
  readonly plannedGeneration: typeof plannedGeneration;
  readonly resolve: typeof resolve;
  readonly answeredEvent: typeof answeredEvent;
  readonly replyFor: typeof replyFor;
  readonly announcementsOf: typeof announcementsOf;
}

export const productEngine: Engine = {
  keyOf,
  start,
  step,
  fold,
  closingEvents,
  plannedGeneration,
  resolve,
  answeredEvent,
  replyFor,
  announcementsOf,
};
