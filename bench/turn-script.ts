import type { ScriptedAnswer, ScriptView } from '../src/testing/scripted-model';

/** How many payouts a turn makes, and whether each has a model call of its own. */
export const SHAPES = { 'one payout': 1, 'three payouts one by one': 3, 'three payouts at once': 3 } as const;
export type Shape = keyof typeof SHAPES;

export interface Asked {
  readonly shape: Shape;
  readonly tool: string;
  readonly to: string;
}

/** The system prompt of every turn. */
export const INSTRUCTIONS =
  'You are a support agent of a shop. Pay out what the customer is owed by the tool the customer names, once for each ' +
  'payee, and never guess: what a tool told you is what is true.';

/** What the customer writes. The same length on both sides. */
export function request({ shape, tool, to }: Asked): string {
  return `Please make ${shape} with ${tool} to ${to}.`;
}

const REQUEST = /^Please make (.+) with (\S+) to (\S+)\.$/;

/** The model: it does what it is asked, step by step, and says so. */
export function payingAgent({ said, results }: ScriptView): ScriptedAnswer {
  const [, shape, tool, to] = REQUEST.exec(said[0] ?? '') ?? [];
  if (tool === undefined || to === undefined || !isShape(shape)) throw new Error(`Not a request: ${said[0]}`);
  const count = SHAPES[shape];
  const call = (payee: number) => ({
    tool,
    input: { to: `${to}-${payee}`, amount: 38_000, reason: 'Never delivered.' },
  });
  if (results.length === count) return { text: `Done: ${results.map(({ text }) => text).join(' ')}` };
  if (shape === 'three payouts at once') return { calls: Array.from({ length: count }, (_, payee) => call(payee)) };
  return { calls: [call(results.length)] };
}

function isShape(shape: string | undefined): shape is Shape {
  return shape !== undefined && Object.hasOwn(SHAPES, shape);
}
