import type { Scenario } from './scenario';

export const WORKER_KILLED: Scenario = {
  name: 'worker-killed',
  title: 'SIGKILL of the worker after the effect and before the record; a new worker takes over.',
  asking: 'one-line',
  missingLines: 1,
  promise: { effects: 1, sends: 1, attempts: [1] },
  during: async ({ fake, worker, startWorker, tell }) => {
    const answer = fake.arm({ route: 'create', kind: 'hold-answer' });
    await answer.firstHit;
    worker.signal('SIGKILL');
    tell(`Worker ${worker.pid} is killed: the refund is made, and nothing of it is recorded.`);
    answer.release();
    const next = await startWorker();
    tell(`Worker ${next.pid} takes over.`);
  },
};
