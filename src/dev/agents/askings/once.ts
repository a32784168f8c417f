import type { Asking } from '../eager-agent';
import { oneLine } from './one-line';

/** The missing line, once: whatever the agent hears, it leaves it at that. */
export const once: Asking = { ...oneLine, tries: 1 };
