// The same in TypeScript that Node takes as it is.
import type { StartWorkerOptions } from 'sendonce';
import { scriptedModel } from 'sendonce/testing';

export const worker: StartWorkerOptions = {
  tools: [],
  model: scriptedModel(() => ({ text: 'Hello.' })),
  taskQueue: process.env['TASK_QUEUE'] ?? '',
};
