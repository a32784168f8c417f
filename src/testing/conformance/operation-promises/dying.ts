import { within } from '../../../within';
import { needs } from '../needs';
import type { OperationUnderTest } from '../operation-under-test';
import type { OperationWorld } from '../operation-world';
import { broken, type CheckedPromise } from '../promise';
import type { Scenario } from '../scenario';

export const DYING: readonly CheckedPromise<OperationWorld>[] = [
  {
    promise:
      'the process dies while it sends, and the next one is asked → one effect, also when the request arrives late',
    notChecked: (world) => needs(world, 'hold-request'),
    check: (world) => dyingWith(world, 'hold-request', 'The process died while its request was on its way'),
  },
  {
    promise: 'the process dies before its answer comes, and the next one is asked → one effect',
    notChecked: (world) => needs(world, 'hold-answer'),
    check: (world) => dyingWith(world, 'hold-answer', 'The effect was made, and the process died before the answer'),
  },
];

async function dyingWith(world: OperationWorld, kind: 'hold-request' | 'hold-answer', what: string): Promise<void> {
  const scenario = await world.scenario();
  const treatment = world.downstream.treatNext({ kind });
  const abandoned = scenario.begin(await world.open());
  if ((await within(world.patienceMs, treatment.met)) === null && treatment.hits === 0) {
    throw broken('A call sent nothing.');
  }
  const next = await world.open();
  await askTwice(scenario, next, `${what}, and the next one was asked`);
  // Late, and still on its way to a process that nobody waits for.
  await scenario.letArrive(treatment, abandoned);
  await askTwice(scenario, next, `${what}, the next one was asked, and what was held came through`);
}

async function askTwice(scenario: Scenario, process: OperationUnderTest, what: string): Promise<void> {
  for (const sessionId of ['chat-1', 'chat-2']) await scenario.holds(what, await scenario.ask(process, { sessionId }));
}
