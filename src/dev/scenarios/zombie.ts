import type { Scenario } from './scenario';
import { untilEvents, untilLedgerTime } from './stage';

export const ZOMBIE: Scenario = {
  name: 'zombie',
  title:
    'A worker freezes between mark and send; another finishes the job; the first wakes too late and sends nothing.',
  asking: 'one-line',
  missingLines: 1,
  promise: { effects: 1, sends: 1, attempts: [2] },
  worker: { role: 'one-activity', holdFirstSend: true },
  during: async (stage) => {
    const { worker, startWorker, tell } = stage;
    await worker.holding;
    worker.signal('SIGSTOP');
    tell(`Worker ${worker.pid} freezes between mark and send.`);
    const next = await startWorker();
    tell(`Worker ${next.pid} takes over.`);
    const [mark] = await untilEvents(stage, 'marked', 1, ({ attempt }) => attempt === 1);
    await untilEvents(stage, 'answered', 1, ({ attempt, outcome }) => attempt === 2 && outcome.kind === 'confirmed');
    await untilLedgerTime(stage, mark?.sendBy ?? 0);
    worker.go();
    worker.signal('SIGCONT');
    tell(`Worker ${worker.pid} wakes up, after its send deadline.`);
    await untilEvents(stage, 'answered', 1, ({ attempt }) => attempt === 1);
  },
};
