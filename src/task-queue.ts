/** Where workers take work from and the client puts it, unless both are told another name. */
export const DEFAULT_TASK_QUEUE = 'sendonce';
