// Needs Postgres and Temporal.
import { APICallError } from 'ai';
import type { Script } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { eventTypes, historyText, scheduledActivities } from '../support/history';
import { payOut } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';

const rigs = turnRigs();

function endpointSays(statusCode: number, isRetryable: boolean): APICallError {
  return new APICallError({
    message: `The endpoint says ${statusCode}.`,
    url: 'http://127.0.0.1/v1/messages',
    requestBodyValues: {},
    statusCode,
    isRetryable,
  });
}

/** A model whose nth call throws what is listed, and else pays Anna. */
function failing(...errors: (Error | null)[]): { readonly script: Script; asked: number } {
  const model = {
    asked: 0,
    script: (({ results }) => {
      const error = errors[model.asked++] ?? null;
      if (error) throw error;
      return results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };
    }) satisfies Script,
  };
  return model;
}

describe('a model call', () => {
  test('400 → not repeated; the turn ends failed, and the customer is told without a promise or a denial', async () => {
    const model = failing(endpointSays(400, false));
    const rig = await rigs.start({
      recordAs: 'failed-model',
      tools: [payOut(new CountingProvider())],
      model: model.script,
    });
    const reply = await rig.say('Pay Anna.');
    expect(reply).toMatchObject({
      outcome: 'failed',
      text: expect.stringMatching(/^Something went wrong on our side\. What was started is being taken care of/),
    });
    expect(model.asked).toBe(1);
    const history = await rig.history(reply.workflowId);
    expect(eventTypes(history).at(-1)).toBe('WorkflowExecutionFailed');
    expect(historyText(history)).toContain(
      'The turn failed: The model gave no answer: HTTP 400: The endpoint says 400.',
    );
  });

  test('500 → repeated, and the turn goes on', async () => {
    const model = failing(endpointSays(500, true));
    const rig = await rigs.start({ tools: [payOut(new CountingProvider())], model: model.script });
    expect(await rig.say('Pay Anna.')).toMatchObject({ outcome: 'answered', text: 'Paid.' });
    expect(model.asked).toBe(3);
  });

  test('400 after a payout → the turn ends failed, the payout stays confirmed, and the next turn knows of it', async () => {
    const provider = new CountingProvider();
    const model = failing(null, endpointSays(400, false));
    const rig = await rigs.start({ tools: [payOut(provider)], model: model.script });
    expect(await rig.say('Pay Anna.')).toMatchObject({ outcome: 'failed' });
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed', externalId: 'po_1' });
    expect(await rig.say('Was it paid?')).toMatchObject({ outcome: 'answered', text: 'Paid.' });
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('an answer that was stored, its planning failed → the model is not asked again', async () => {
    const model = failing();
    let resolved = 0;
    const rig = await rigs.start({
      tools: [
        payOut(new CountingProvider(), () => {
          if (++resolved === 1) throw new Error('The shop is down.');
        }),
      ],
      model: model.script,
    });
    const { workflowId } = await rig.say('Pay Anna.');
    expect(model.asked).toBe(2);
    const types = scheduledActivities(await rig.history(workflowId)).map(({ type }) => type);
    expect(types).toEqual(['sendonce.callModel', 'pay_out', 'sendonce.callModel']);
  });
});
