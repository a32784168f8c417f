import {
  ActivityFailure,
  type ActivityOptions,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { OfLedger } from '../activities/activity-inputs';
import type { AgendaResult, BackOffs, PassResult, ReconciliationActivities } from '../activities/reconcile-inputs';
import { HINT_SIGNAL, REPORT_QUERY } from './reconciliation-names';
import { reportText } from './reconciliation-report';

/** What the reconciliation of a ledger knows of itself: the answer to the query `sendonce.report`. */
export interface ReconciliationReport {
  /** Passes since it was started, those that found nothing due included. */
  readonly passes: number;
  /** Operations that were not settled at the last pass, by state. Counted up to 10,000. */
  readonly open: Readonly<Record<string, number>>;
  /** Messages that sessions and people had still to be told then. */
  readonly untold: number;
  /** Looks at operations since it was started. */
  readonly looks: number;
  /** The ledger's time of the last pass, in ms since the Unix epoch; null before the first. */
  readonly lastPassAt: number | null;
  /** When something is due next, by the same clock; null where nothing is. */
  readonly nextDueAt: number | null;
  /** Providers that are left alone for a while, since they gave no answer. */
  readonly backOffs: BackOffs;
  /** Why the last pass broke off; null where it did not. */
  readonly trouble: string | null;
}

/** References and numbers only, since it stands in the history. The rest is in the ledger. */
export interface ReconciliationInput extends OfLedger {
  /** Of the run before. */
  readonly report?: ReconciliationReport;
  /** Passes of one run, for tests; Temporal says when a history is long enough. */
  readonly passesPerRun?: number;
}

const HINT = defineSignal(HINT_SIGNAL);
const REPORT = defineQuery<ReconciliationReport>(REPORT_QUERY);

/** One statement, made where the workflow runs, so that an idle hour costs little. */
const AGENDA_HERE = { startToCloseTimeout: '10 seconds', retry: { maximumAttempts: 1 } } satisfies LocalActivityOptions;

/** What that worker cannot tell (its ledger is another, say) another one may; where nobody can, the timer is the retry. */
const AGENDA = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
} satisfies ActivityOptions;

/** A pass takes nothing new after some seconds; what it has begun may take as long as a query, a send and their answers. */
const PASS = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 3 },
} satisfies ActivityOptions;

/** Where not even the agenda can be read, nobody tells how long to wait. */
const TROUBLE_PAUSE_MS = 10_000;
const LEAST_PAUSE_MS = 200;

const NOTHING_KNOWN: ReconciliationReport = {
  passes: 0,
  open: {},
  untold: 0,
  looks: 0,
  lastPassAt: null,
  nextDueAt: null,
  backOffs: {},
  trouble: null,
};

/**
 * Finds out what became of every operation that is not settled, and has settlements and escalations told. It polls what
 * is due on its own timer; hints only make it prompt.
 */
export async function reconciliation({ report: before, ...input }: ReconciliationInput): Promise<void> {
  let report = before ?? NOTHING_KNOWN;
  let isHinted = false;
  setHandler(REPORT, () => report);
  setHandler(HINT, () => {
    isHinted = true;
  });
  const { ledger, passesPerRun = Number.POSITIVE_INFINITY } = input;
  const { 'sendonce.reconcile': pass } = proxyActivities<ReconciliationActivities>({ ...PASS, summary: 'pass' });
  for (let passes = 1; ; passes++) {
    isHinted = false;
    let pauseMs = TROUBLE_PAUSE_MS;
    try {
      let agenda: AgendaResult = await readAgenda({ ...(ledger === undefined ? {} : { ledger }) });
      let result: PassResult | null = null;
      if (agenda.hasWork) {
        result = await pass({ ...(ledger === undefined ? {} : { ledger }), backOffs: report.backOffs });
        agenda = result.agenda;
      }
      report = reported(report, agenda, result);
      pauseMs = agenda.pauseMs;
    } catch (error) {
      // A bug of a new release stalls the workflow until it is mended; only what activities report is waited out.
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      report = { ...report, passes: report.passes + 1, trouble: error.cause?.message ?? error.message };
    }
    setCurrentDetails(reportText(report));
    if (passes >= passesPerRun || workflowInfo().continueAsNewSuggested) {
      // A hint that comes now is heard by the next run, which begins with a pass.
      await continueAsNew<typeof reconciliation>({ ...input, report });
    }
    if (!isHinted) await condition(() => isHinted, Math.max(pauseMs, LEAST_PAUSE_MS));
  }
}

async function readAgenda(input: OfLedger): Promise<AgendaResult> {
  try {
    return await proxyLocalActivities<ReconciliationActivities>(AGENDA_HERE)['sendonce.agenda'](input);
  } catch (error) {
    // A local activity's failure comes bare, without the ActivityFailure around it.
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    return proxyActivities<ReconciliationActivities>({ ...AGENDA, summary: 'agenda' })['sendonce.agenda'](input);
  }
}

function reported(before: ReconciliationReport, agenda: AgendaResult, result: PassResult | null): ReconciliationReport {
  return {
    passes: before.passes + 1,
    looks: before.looks + (result?.looks ?? 0),
    open: agenda.open,
    untold: agenda.untold,
    lastPassAt: agenda.now,
    nextDueAt: agenda.nextDueAt,
    backOffs: result?.backOffs ?? before.backOffs,
    trouble: null,
  };
}
