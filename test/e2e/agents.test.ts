// Needs nothing.
import { ASKINGS } from '../../src/dev/agents/askings';
import { GUARDED } from '../../src/dev/agents/refund-tool';
import { CURRENCY, demoOrder, ONE_CASE } from '../../src/dev/shop/demo-order';
import type { ScriptResult, ScriptView } from '../../src/testing/scripted-model';

const ORDER = demoOrder('1043', 'pi_1', ONE_CASE);
const FOUND: ScriptResult = {
  turn: 1,
  tool: 'find_order',
  text: JSON.stringify({ ...ORDER, orderId: ORDER.id, currency: CURRENCY }),
  isError: false,
};
const NOT_CLEAR: ScriptResult = {
  turn: 2,
  tool: 'refund_line_item',
  text: 'Outcome unknown: refund_line_item, operation refund-1043-li_2. It was sent.',
  isError: true,
};

function view(said: readonly string[], results: readonly ScriptResult[]): ScriptView {
  return { said: ['Where is my case of order 1043?', 'Yes, please.', ...said], results, tools: [] };
}

const news = (text: string) => [`[This comes from the system, not from the customer.] ${text}`];

describe('the demo’s agent', () => {
  test.each([
    ['one-line', 3],
    ['once', 1],
  ] as const)(
    '%s: without a clear answer it asks %i times, then promises that the customer will hear',
    async (name, tries) => {
      const agent = ASKINGS[name](GUARDED);
      for (let asked = 0; asked < tries; asked++) {
        const { calls } = await agent(view([], [FOUND, ...Array<ScriptResult>(asked).fill(NOT_CLEAR)]));
        expect(calls).toMatchObject([{ tool: 'refund_line_item', input: { orderId: '1043', lineItemId: 'li_2' } }]);
      }
      expect(await agent(view([], [FOUND, ...Array<ScriptResult>(tries).fill(NOT_CLEAR)]))).toEqual({
        text: 'Your original request is being confirmed. You will hear from us.',
      });
    },
  );

  test.each([
    [
      'This is done: refund_line_item, operation refund-1043-li_2, number re_1.',
      'Your 380.00 TWD refund re_1 is done.',
    ],
    [
      'This was refused and had no effect: refund_line_item, operation refund-1043-li_2.',
      'I am sorry: your 380.00 TWD refund did not take place, and nothing was paid back.',
    ],
    ['This is done: refund_request, operation refund-1043-req_A, number re_1.', 'Your refund re_1 is done.'],
  ])('is told by the system: %s → it tells the customer, and calls nothing', async (text, told) => {
    expect(await ASKINGS.once(GUARDED)(view(news(text), [FOUND, NOT_CLEAR]))).toEqual({ text: told });
  });

  test('what the system told is no message of the customer’s: the next one is taken as before', async () => {
    const agent = ASKINGS['one-line'](GUARDED);
    const said = [...news('This is done: refund_line_item, operation refund-1043-li_2, number re_1.'), 'Is it done?'];
    expect(await agent(view(said, [FOUND, NOT_CLEAR]))).toMatchObject({ calls: [{ tool: 'refund_line_item' }] });
  });
});
