import { scriptedModel } from 'sendonce/testing';

export const worker = { tools: [], model: scriptedModel(() => ({ text: 'Hello.' })), taskqueue: 'a' };
