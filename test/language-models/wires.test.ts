// Needs Postgres and Temporal.
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool';
import { anthropicWire } from '../support/anthropic-wire';
import { CountingProvider } from '../support/counting-provider';
import { type EndpointScript, modelEndpoints, type Said } from '../support/model-endpoint';
import { openaiWire } from '../support/openai-wire';
import { payOut } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';

const endpoints = modelEndpoints();
const rigs = turnRigs();

/** One answer a request; then it says goodbye. The endpoints refuse what their documentation refuses. */
const saying =
  (...answers: Said[]): EndpointScript =>
  ({ index }) =>
    answers[index] ?? { text: 'Goodbye.' };

const pay = (to: string, id?: string) => ({ ...(id === undefined ? {} : { id }), tool: 'pay_out', input: { to } });

const FIND_ORDER = {
  name: 'find_order',
  description: 'Look up one order.',
  input: z.object({
    orderId: z.string().describe('The order number, with or without #.'),
    filter: z
      .object({ since: z.string().describe('A date, as 2026-01-31.') })
      .optional()
      .describe('What to leave out.'),
  }),
};
const findOrder = defineTool({ ...FIND_ORDER, run: async () => 'Nothing.' });

describe.each([anthropicWire, openaiWire])('over the wire of $name', (wire) => {
  test('the descriptions of a tool’s fields and the instructions reach the endpoint', async () => {
    const endpoint = await endpoints.start(wire, saying());
    const rig = await rigs.start({ tools: [findOrder], model: endpoint.model, worker: false });
    await rig.startWorker({ instructions: 'You are the shop’s assistant.' });
    await rig.say('Hello.');
    expect(wire.system(endpoint.requests[0]?.body)).toBe('You are the shop’s assistant.');
    expect(wire.schemas(endpoint.requests[0]?.body)).toMatchObject({
      find_order: {
        type: 'object',
        properties: {
          orderId: { type: 'string', description: 'The order number, with or without #.' },
          filter: {
            description: 'What to leave out.',
            properties: { since: { type: 'string', description: 'A date, as 2026-01-31.' } },
          },
        },
        required: ['orderId'],
      },
      operation_status: { properties: { operationId: { description: 'The operation ID that a tool call told.' } } },
    });
  });

  test('calls of one answer under one ID stay three calls; each result is text, an error is flagged where there is a flag', async () => {
    const provider = new CountingProvider();
    provider.treat('bob', 'refuse');
    const calls = [pay('anna', 'toolu_1'), pay('bob', 'toolu_1'), { id: 'toolu_1', tool: 'pay_out', input: { to: 7 } }];
    const endpoint = await endpoints.start(wire, saying({ text: 'One moment.', calls }));
    const rig = await rigs.start({ tools: [payOut(provider)], model: endpoint.model });
    expect(await rig.say('Pay Anna and Bob.')).toMatchObject({ outcome: 'answered', text: 'Goodbye.' });
    expect([...provider.sends].sort()).toEqual(['payout-anna', 'payout-bob']);
    const flag = (isError: boolean) => (wire.name === 'anthropic' ? isError : undefined);
    expect(wire.results(endpoint.requests[1]?.body)).toEqual([
      { id: 'call_1_1_0', text: expect.stringMatching(/^Done: pay_out, operation payout-anna/), isError: flag(false) },
      {
        id: 'call_1_1_1',
        text: expect.stringMatching(/^Rejected: pay_out, operation payout-bob/),
        isError: flag(true),
      },
      { id: 'call_1_1_2', text: expect.stringMatching(/expected string.*Nothing was sent\.$/s), isError: flag(true) },
    ]);
    expect(endpoint.requests).toHaveLength(2);
  });

  test('an ID that a later answer repeats is another call, and the endpoint is shown two IDs', async () => {
    const provider = new CountingProvider();
    const endpoint = await endpoints.start(
      wire,
      saying({ calls: [pay('anna', 'toolu_1')] }, { calls: [pay('bob', 'toolu_1')] }),
    );
    const rig = await rigs.start({ tools: [payOut(provider)], model: endpoint.model });
    expect(await rig.say('Pay Anna, then Bob.')).toMatchObject({ text: 'Goodbye.' });
    expect(provider.sends).toEqual(['payout-anna', 'payout-bob']);
    expect(wire.results(endpoint.requests[2]?.body).map(({ id }) => id)).toEqual(['call_1_1_0', 'call_1_2_0']);
  });

  test('blanks before a call are not shown to the endpoint again, which would refuse them', async () => {
    const endpoint = await endpoints.start(wire, saying({ text: '\n\n', calls: [pay('anna')] }));
    const rig = await rigs.start({ tools: [payOut(new CountingProvider())], model: endpoint.model });
    expect(await rig.say('Pay Anna.')).toMatchObject({ outcome: 'answered', text: 'Goodbye.' });
    expect(wire.results(endpoint.requests[1]?.body)).toHaveLength(1);
  });

  test('half a character in a message, an argument or a result does not make the endpoint refuse the conversation', async () => {
    const endpoint = await endpoints.start(
      wire,
      saying({ calls: [{ tool: 'find_order', input: { orderId: 'x\uD83D' } }] }),
    );
    const half = defineTool({ ...FIND_ORDER, run: async ({ orderId }) => `Not there: ${orderId}` });
    const rig = await rigs.start({ tools: [half], model: endpoint.model });
    expect(await rig.say('Where is my order \uD83D?')).toMatchObject({ outcome: 'answered', text: 'Goodbye.' });
    expect(endpoint.requests[1]?.raw).toContain('Where is my order \uFFFD?');
    expect(wire.results(endpoint.requests[1]?.body)).toMatchObject([{ text: 'Not there: x\uFFFD' }]);
    expect(await rig.transcript()).toMatchObject([{ message: 'Where is my order \uD83D?' }]);
  });
});

test('arguments that cannot be read are told as invalid_input, and the conversation goes on at either endpoint', async () => {
  const inputs = ['{"to": "anna"', '[1]', '"anna"', 'null', '', { to: 'anna' }];
  const provider = new CountingProvider();
  const openai = await endpoints.start(
    openaiWire,
    saying({ calls: inputs.map((input) => ({ tool: 'pay_out', input })) }),
  );
  const rig = await rigs.start({ tools: [payOut(provider)], model: openai.model, worker: false });
  const worker = await rig.startWorker();
  expect(await rig.say('Pay Anna.')).toMatchObject({ outcome: 'answered', text: 'Goodbye.' });
  const codes = (await rig.transcript())[0]?.steps[0]?.results.map(({ reply }) => reply.code);
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 'invalid_input'), 'done']);
  expect(openaiWire.results(openai.requests[1]?.body)[0]?.text).toMatch(/^The arguments of pay_out could not be read/);
  expect(provider.sends).toEqual(['payout-anna']);

  await worker.stop();
  const anthropic = await endpoints.start(anthropicWire, saying());
  await rig.startWorker({ model: anthropic.model });
  expect(await rig.say('Was it paid?')).toMatchObject({ outcome: 'answered', text: 'Goodbye.' });
  const flags = anthropicWire.results(anthropic.requests[0]?.body).map(({ isError }) => isError);
  expect(flags).toEqual([...Array.from({ length: 5 }, () => true), false]);
});
