import type { OperationPlan } from '../../../tools/tool';
import type { OperationWorld } from '../operation-world';
import { broken, type CheckedPromise } from '../promise';
import { quoted } from '../scenario';

/** Inputs whose IDs are compared with each other. */
const INPUTS = 20;

export const IDENTITY: readonly CheckedPromise<OperationWorld>[] = [
  {
    promise: 'the operation ID is of the business only: other words, session, call and time give the same',
    check: async (world) => {
      const scenario = await world.scenario();
      const engine = world.engine();
      const first = planOf(await engine.plan(scenario.newCall()));
      world.memory.advance(86_400_000);
      const input = scenario.reworded();
      const second = planOf(await engine.plan(scenario.newCall({ input, sessionId: 'chat-2' })));
      if (first.operationId !== second.operationId) {
        throw broken(
          `One intent is the operation ${first.operationId}, and asked for in other words and from another session it is ${second.operationId}: it would be carried out twice. Compute the ID from the business objects, never from what the model wrote, a session, a call or a clock.`,
        );
      }
      if (first.intent !== second.intent) {
        throw broken(
          `Asked for in other words, ${first.operationId} has the intent ${second.intent} instead of ${first.intent}: a false conflict. Say by intent what must not change.`,
        );
      }
    },
  },
  {
    promise: 'different inputs are different operations',
    check: async (world) => {
      const engine = world.engine();
      const known = new Map<string, unknown>();
      for (let count = 0; count < INPUTS; count++) {
        const scenario = await world.scenario();
        const { operationId } = planOf(await engine.plan(scenario.newCall()));
        const other = known.get(operationId);
        if (other !== undefined) {
          throw broken(
            `${JSON.stringify(other)} and ${JSON.stringify(scenario.input)} are one operation, ${operationId}: the second would be told that it is done already.`,
          );
        }
        known.set(operationId, scenario.input);
      }
    },
  },
  {
    promise: 'the same thing with other content is a conflict, and sends nothing',
    notChecked: ({ check }) => (check.changed ? null : 'no changed is given'),
    check: async (world) => {
      const scenario = await world.scenario();
      const process = await world.open();
      await scenario.ask(process);
      const sent = scenario.requests().length;
      const told = await scenario.ask(process, { input: world.check.changed?.(scenario.input) });
      const more = scenario.requests().length - sent;
      await scenario.holds('Other content was asked for', told);
      if (more > 0) throw broken('Other content was asked for under one operation ID, and it was sent.');
      if (told.says !== 'refused') {
        throw broken(
          `Other content was asked for under one operation ID, and the call was told ${quoted(told)}: the model takes what it asked for now for what was done. Put into intent what must not change.`,
        );
      }
    },
  },
  {
    promise: 'what the tool refuses is told as refused; nothing is sent, and nothing recorded',
    notChecked: ({ check }) => (check.refused === undefined ? 'no refused is given' : null),
    check: async (world) => {
      const scenario = await world.scenario();
      const process = await world.open();
      const input = world.check.refused;
      const told = await scenario.ask(process, { input });
      if (told.says !== 'refused') throw broken(`It was to be refused, and the call was told ${quoted(told)}.`);
      if (scenario.requests().length > 0) throw broken('A call was refused, and a request was sent.');
      if ((await process.recorded(scenario.newCall({ input }))) > 0) throw broken('A call was refused and recorded.');
    },
  },
];

function planOf(plan: OperationPlan | { readonly text: string }): OperationPlan {
  if ('text' in plan) throw broken(`An input was refused: ${plan.text}`);
  return plan;
}
