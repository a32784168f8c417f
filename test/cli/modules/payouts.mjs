// What `sendonce worker --tools` loads: a provider that notes each payout in a file, and a model that pays whom it is
// told to. Its settings are the test's.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineOperation, hours, id, minutes, seconds } from 'sendonce';
import { scriptedModel } from 'sendonce/testing';
import { z } from 'zod';

const { PAYOUTS_FILE, PAYOUT_MS = '0', TASK_QUEUE } = process.env;

const payouts = {
  name: 'test.payouts',
  contract: {
    key: { window: hours(24), margin: minutes(5), maxLength: 255, replays: 'every-answer' },
    absence: 'inconclusive',
    sendWithin: seconds(30),
    deliverWithin: seconds(30),
    answerWithin: seconds(60),
    acceptedFor: hours(1),
    escalateAfter: hours(24),
  },
  sharedAccount: false,
  encode: (request, { key }) => ({ account: '', path: 'pay', version: '1', body: `${key} ${JSON.stringify(request)}` }),
  send: async ({ key }) => {
    appendFileSync(PAYOUTS_FILE, `${key} begun\n`);
    await sleep(Number(PAYOUT_MS));
    appendFileSync(PAYOUTS_FILE, `${key} paid\n`);
    return { kind: 'confirmed', externalId: 'po_1', receipt: { requestId: null, httpStatus: 200, detail: '' } };
  },
};

const payOut = defineOperation({
  name: 'pay_out',
  description: 'Pay out once to somebody.',
  input: z.object({ to: z.string() }),
  resolve: ({ to }) => ({ to }),
  operationId: ({ to }) => id`payout-${to}`,
  request: ({ to }) => ({ to }),
  provider: payouts,
});

const pay = ({ said, results }) =>
  results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: said[0] } }] } : { text: results[0].text };

export const worker = { tools: [payOut], model: scriptedModel(pay), taskQueue: TASK_QUEUE };
