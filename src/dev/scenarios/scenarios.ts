import { LOST_MESSAGES } from './lost-messages';
import { NOT_SUBMITTED } from './not-submitted';
import type { Scenario } from './scenario';
import { WORKER_KILLED } from './worker-killed';
import { ZOMBIE } from './zombie';

export const DEFAULT_SCENARIO = 'lost-answer';

export const SCENARIOS: readonly Scenario[] = [...LOST_MESSAGES, NOT_SUBMITTED, WORKER_KILLED, ZOMBIE];
