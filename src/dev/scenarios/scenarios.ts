import { ASKED_AGAIN } from './asked-again';
import { FOUND_OUT_LATER } from './found-out-later';
import { LOST_MESSAGES } from './lost-messages';
import { NOT_SUBMITTED } from './not-submitted';
import { REFUSALS } from './refusals';
import type { Scenario } from './scenario';
import { SLOW_ANSWER } from './slow-answer';
import { THREE_REQUESTS } from './three-requests';
import { TOLD_LATER } from './told-later';
import { TWO_TENANTS } from './two-tenants';
import { WITH_A_PERSON } from './with-a-person';
import { WORKER_KILLED } from './worker-killed';
import { ZOMBIE } from './zombie';

export const DEFAULT_SCENARIO = 'lost-answer';

export const SCENARIOS: readonly Scenario[] = [
  ...LOST_MESSAGES,
  NOT_SUBMITTED,
  WORKER_KILLED,
  ZOMBIE,
  SLOW_ANSWER,
  ...ASKED_AGAIN,
  ...REFUSALS,
  THREE_REQUESTS,
  TWO_TENANTS,
  ...FOUND_OUT_LATER,
  ...TOLD_LATER,
  ...WITH_A_PERSON,
];
