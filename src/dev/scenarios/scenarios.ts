import { ASKED_AGAIN } from './asked-again';
import { LOST_MESSAGES } from './lost-messages';
import { NOT_SUBMITTED } from './not-submitted';
import { REFUSALS } from './refusals';
import type { Scenario } from './scenario';
import { SLOW_ANSWER } from './slow-answer';
import { THREE_REQUESTS } from './three-requests';
import { TWO_TENANTS } from './two-tenants';
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
];
