import { ONE_CASE } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { untilEvents, untilLedgerTime } from './stage';
import { askAndAgree } from './talk';

export const ZOMBIE: Scenario = {
  name: 'zombie',
  title:
    'A worker freezes between mark and send; another finishes the job; the first wakes too late and sends nothing.',
  missing: ONE_CASE,
  asking: 'one-line',
  promise: {
    effects: 1,
    sends: 1,
    operations: (orderId) => [
      confirmed(`refund-${orderId}-li_2`, { attempts: 2, answers: ['confirmed', 'not-submitted'] }),
    ],
    codes: [['done']],
  },
  naive: { effects: 1 },
  worker: { role: 'one-activity', hold: 'first-send' },
  talk: askAndAgree({
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
  }),
};
