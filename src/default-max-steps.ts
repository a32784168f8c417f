/** Enough for a few tools in a row; a model that goes on calling is stopped before it costs much. */
export const DEFAULT_MAX_STEPS = 12;
