import { days, hours, minutes } from '../../operations/time';
import { ONE_CASE } from '../shop/demo-order';
import { NO_RECORD } from './found-out-later';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { untilState } from './stage';
import { ask, askAndAgree } from './talk';

/** Who is told, and how often, whatever became of the turn that began it. */
export const TOLD_LATER: readonly Scenario[] = [
  {
    name: 'turn-gone',
    title: 'The worker is killed after the effect and the turn terminated: the customer is told all the same.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { answers: [], resolvedBy: 'query' })],
      codes: [],
      followUps: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      const { fake, worker, tell } = stage;
      const chat = stage.open();
      await ask(chat, stage);
      const answer = fake.arm({ route: 'create', kind: 'hold-answer' });
      const said = chat.say('Yes, please.');
      await answer.firstHit;
      worker.signal('SIGKILL');
      tell(`Worker ${worker.pid} is killed: the refund is made, and nothing of it is recorded.`);
      await stage.terminate(chat.workflowId() ?? '');
      tell('The turn is terminated by hand before it told anything.', 'person');
      answer.release();
      const next = await stage.startWorker();
      tell(`Worker ${next.pid} takes over.`);
      await said;
      // An attempt may be answered until its bounds are over.
      await stage.moveClock(minutes(1));
      await untilState(stage, 'confirmed');
    },
  },
  {
    name: 'two-sessions',
    title: 'A stored 500, and nothing visible until two conversations were told to wait: both are told the end.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { answers: ['unknown'], resolvedBy: 'query' })],
      codes: [['outcome_unknown'], ['outcome_unknown']],
      followUps: 2,
    },
    naive: { effects: 2 },
    talk: async (stage) => {
      const { fake } = stage;
      fake.setLag({ list: days(1), events: days(1) });
      fake.arm({ route: 'create', kind: 'server-error', effect: true });
      await askAndAgree()(stage);
      stage.tell('(opens another conversation)', 'customer');
      await askAndAgree()(stage);
      fake.setLag({});
      stage.tell('shows the refund at last', 'provider');
      if (!stage.guarded) return;
      await stage.moveClock(hours(1));
      await untilState(stage, 'confirmed');
    },
  },
  {
    name: 'clicked-twice',
    title: 'The customer clicks twice, and the same message arrives under two request keys: one refund.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`)],
      codes: [['done'], ['already_done']],
    },
    naive: { effects: 2 },
    talk: async (stage) => {
      const chat = stage.open();
      await ask(chat, stage);
      await Promise.all(['first-click', 'second-click'].map((requestKey) => chat.say('Yes, please.', { requestKey })));
    },
  },
];
