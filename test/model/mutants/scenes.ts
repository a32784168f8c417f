import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import { scenarioOf } from '../scenario-of';

/** Scenes that several mistakes are planted in. */
export const LOST = scenarioOf('an answer is lost', {}, { losses: 1 });
export const LOST_WITHOUT_KEY = { ...LOST, contract: CONTRACTS.noKey, hasQuery: false };
export const CLOSED = scenarioOf('its workflow closes the call', { calls: ONE_CALL }, { closings: 1 });
export const OVERLAPS = scenarioOf('two attempts of a call', { calls: ONE_CALL }, { overlaps: 1, losses: 1 });
/** One call and reconciliation. */
export const ALONE = { calls: ONE_CALL, activityAttempts: 1 } as const;
