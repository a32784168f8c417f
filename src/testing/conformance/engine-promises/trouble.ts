import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../../operations/time';
import { toldOf } from '../engine-under-test';
import { needs } from '../needs';
import type { OperationWorld } from '../operation-world';
import { broken, type CheckedPromise } from '../promise';
import { quoted } from '../scenario';

/** Short enough to wait for, long enough for a busy machine to get a send out in. */
const SEND_WITHIN = milliseconds(1_500);
const ANSWER_WITHIN = milliseconds(200);
const FREEZES_FOR_MS = 200;

/** Which writes of the ledger fail, and whether they were written all the same. */
const FAILING_SAVES = [
  ['before save registered,marked', 'The mark could not be saved'],
  ['after save registered,marked', 'The mark was saved, and the confirmation was lost'],
  ['before save answered', 'The answer could not be saved at once'],
  ['after save answered', 'The answer was saved, and the confirmation was lost'],
] as const;

export const TROUBLE: readonly CheckedPromise<OperationWorld>[] = [
  {
    promise: 'a worker that was frozen past its send deadline sends nothing; its call is run again and has one effect',
    check: async (world) => {
      for (const step of ['after save registered,marked', 'before send']) {
        const scenario = await world.scenario();
        let frozen = false;
        const engine = world.engine({
          contract: { sendWithin: milliseconds(FREEZES_FOR_MS - 50) },
          hook: async (at) => {
            if (at !== step || frozen) return;
            frozen = true;
            await sleep(FREEZES_FOR_MS);
          },
        });
        const call = scenario.newCall();
        const reply = await engine.reply(call);
        const attempts = engine.operation(call.tenant, reply.operationId ?? '')?.current.attempts ?? [];
        if (attempts[0]?.outcome?.kind !== 'not-submitted') {
          throw broken(
            `The worker was frozen (${step}) until its send deadline was over, and its attempt ended ${attempts[0]?.outcome?.kind ?? 'open'}, not not-submitted: it sent what nobody waits for any more.`,
          );
        }
        await scenario.holds('A worker froze past its send deadline, and the call was run again', toldOf(reply));
        await scenario.holds('It was asked for again', await scenario.ask(await world.open()));
      }
    },
  },
  {
    promise: 'no answer in time → told as unknown; what comes later counts',
    notChecked: (world) => needs(world, 'hold-answer'),
    check: async (world) => {
      const scenario = await world.scenario();
      const engine = world.engine({ contract: { sendWithin: SEND_WITHIN, answerWithin: ANSWER_WITHIN } });
      const treatment = world.downstream.treatNext({ kind: 'hold-answer' });
      const told = await scenario.ask(engine);
      if (treatment.hits > 0) {
        await scenario.holds('The effect was made, and no answer came in time', told);
        if (told.says !== 'open') throw broken(`No answer came in time, and the call was told ${quoted(told)}.`);
      }
      treatment.release();
      await engine.drain();
      world.downstream.calm();
      await scenario.holds('The answer came later, and the model asked again', await scenario.ask(engine));
    },
  },
  {
    promise: 'a record fails to be saved → nothing is sent unmarked, nothing twice, and what is told is true',
    check: async (world) => {
      for (const [step, what] of FAILING_SAVES) {
        const scenario = await world.scenario();
        let failed = false;
        const engine = world.engine({
          hook: (at) => {
            if (at !== step || failed) return;
            failed = true;
            throw new Error('The ledger is out of reach.');
          },
        });
        await scenario.holds(what, await scenario.ask(engine));
        await engine.findOut();
        await scenario.holds(`${what}, and it was found out`, await scenario.ask(engine));
        await scenario.isNotLost(what);
      }
    },
  },
  {
    promise: 'what is unknown is found out by itself, and then told as it is',
    notChecked: (world) => needs(world, 'lose-answer', 'lose-request'),
    check: async (world) => {
      for (const kind of ['lose-answer', 'lose-request'] as const) {
        const scenario = await world.scenario();
        const engine = world.engine();
        await scenario.askUnder({ kind }, engine);
        await engine.findOut();
        await scenario.holds('It was found out', await scenario.ask(engine));
      }
    },
  },
  {
    promise: 'every operation ends: where nobody ever answers, it comes before a person',
    notChecked: (world) => needs(world, 'lose-request', 'lose-answer'),
    check: async (world) => {
      const scenario = await world.scenario();
      const engine = world.engine();
      const forEver = { times: 10_000 };
      world.downstream.treatNext({ kind: 'lose-request' }, forEver);
      world.downstream.treatNext({ kind: 'lose-answer' }, { ...forEver, of: 'question' });
      const call = scenario.newCall();
      const { operationId } = await engine.reply(call);
      await engine.findOut();
      world.downstream.calm();
      const state = engine.operation(call.tenant, operationId ?? '')?.state;
      if (state !== 'escalated') throw broken(`Nobody ever answered, and the operation is ${state} for ever.`);
    },
  },
];
