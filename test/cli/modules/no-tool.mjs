import { scriptedModel } from 'sendonce/testing';

export const worker = { tools: [{ name: 'pay_out' }], model: scriptedModel(() => ({ text: 'Hello.' })) };
