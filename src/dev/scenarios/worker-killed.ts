import { ONE_CASE } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { askAndAgree } from './talk';

export const WORKER_KILLED: Scenario = {
  name: 'worker-killed',
  title: 'SIGKILL of the worker after the effect and before the record; a new worker takes over.',
  missing: ONE_CASE,
  asking: 'one-line',
  promise: {
    effects: 1,
    sends: 1,
    operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { answers: [], resolvedBy: 'query' })],
    codes: [['done']],
  },
  naive: { effects: 1 },
  talk: askAndAgree({
    during: async ({ fake, worker, startWorker, tell }) => {
      const answer = fake.arm({ route: 'create', kind: 'hold-answer' });
      await answer.firstHit;
      worker.signal('SIGKILL');
      tell(`Worker ${worker.pid} is killed: the refund is made, and nothing of it is recorded.`);
      answer.release();
      const next = await startWorker();
      tell(`Worker ${next.pid} takes over.`);
    },
  }),
};
