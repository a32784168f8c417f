import { plannedGeneration } from '../../../operations/plan';
import { within } from '../../../within';
import { type EngineUnderTest, type Hook, ProcessDeadError, toldOf } from '../engine-under-test';
import type { OperationWorld } from '../operation-world';
import { broken, type CheckedPromise } from '../promise';
import { quoted } from '../scenario';

/** Far more steps than a call has. */
const STEPS_MAX = 60;

/** Stops a process for good, or until it is woken, at its nth step. */
class StopAt {
  readonly hook: Hook;
  /** Where it stopped; null while it has not. */
  stoppedAt: string | null = null;
  readonly stopped: Promise<void>;
  #wake: () => void = () => undefined;
  #isDead = false;

  constructor(nth: number) {
    let steps = 0;
    let tell: () => void = () => undefined;
    this.stopped = new Promise((resolve) => {
      tell = resolve;
    });
    this.hook = (step) => {
      if (this.#isDead) throw new ProcessDeadError('This process is dead.');
      if (++steps !== nth) return undefined;
      this.stoppedAt = step;
      tell();
      return new Promise<void>((resolve) => {
        this.#wake = resolve;
      }).then(() => {
        if (this.#isDead) throw new ProcessDeadError('This process is dead.');
      });
    };
  }

  wake(): void {
    this.#wake();
  }

  /** Once nobody looks any more: it ends without another step, so that no timer of it keeps the tests alive. */
  bury(): void {
    this.#isDead = true;
    this.#wake();
  }
}

export const DYING_ANYWHERE: readonly CheckedPromise<OperationWorld>[] = [
  {
    promise: 'the worker dies at any step, and the call is run again → one effect, and what is told is true',
    check: (world) => atEachStep(world, false),
  },
  {
    promise: 'the worker freezes at any step, another goes on, and it wakes → one effect, and what is told is true',
    check: (world) => atEachStep(world, true),
  },
  {
    promise: 'a call that is run again after its end is told the same, and sends nothing',
    check: async (world) => {
      const scenario = await world.scenario();
      const call = scenario.newCall();
      const first = await world.engine().call(call);
      const sent = scenario.requests().length;
      const { told } = await runAgain(world.engine(), call);
      if (scenario.requests().length > sent) throw broken('A call that had ended was run again, and sent once more.');
      if (told.says !== first.says) throw broken(`A call was told ${quoted(first)}, and, run again, ${quoted(told)}.`);
    },
  },
];

async function atEachStep(world: OperationWorld, wakes: boolean): Promise<void> {
  for (let nth = 1; nth <= STEPS_MAX; nth++) {
    const scenario = await world.scenario();
    const stop = new StopAt(nth);
    const call = scenario.newCall();
    const dying = world.engine({ hook: stop.hook }).call(call);
    dying.catch(() => undefined);
    await Promise.race([dying, stop.stopped]);
    if (stop.stoppedAt === null) return;
    const what = `The worker ${wakes ? 'froze' : 'died'} ${stop.stoppedAt}`;
    const next = world.engine();
    const { told } = await runAgain(next, call);
    await scenario.holds(`${what}, and its call was run again`, told);
    if (wakes) {
      stop.wake();
      const late = await within(world.patienceMs * 5, dying);
      if (late !== null) await scenario.holds(`${what}, its call was run again, and it woke`, late);
    }
    await scenario.holds(`${what}, and the model asked again`, await scenario.ask(next, { sessionId: 'chat-2' }));
    await next.findOut();
    await scenario.holds(`${what}, and it was found out`, await scenario.ask(next));
    await scenario.isNotLost(what);
    stop.bury();
  }
  throw new Error(`A call had more than ${STEPS_MAX} steps.`);
}

/** As Temporal does: the same call, planned as it was, with a higher number. */
async function runAgain(engine: EngineUnderTest, call: Parameters<EngineUnderTest['plan']>[0]) {
  const plan = await engine.plan(call);
  if ('code' in plan) return { told: toldOf(plan) };
  const operation = engine.operation(call.tenant, plan.operationId);
  // Where it was planned before anything was recorded: a first call's generation is the first.
  const generation = operation === null ? 1 : Math.min(plannedGeneration(operation), operation.current.number);
  return { told: toldOf(await engine.carryOut(call, plan, generation, 2)) };
}
