import type { ReconciliationReport } from './reconciliation';

/** Markdown, as Temporal's UI shows it. Times are the ledger's. */
export function reportText({ open, untold, lastPassAt, nextDueAt, backOffs, trouble }: ReconciliationReport): string {
  const states = Object.entries(open).map(([state, count]) => `- ${state}: ${count}`);
  const resting = Object.entries(backOffs)
    .filter(([, { untilMs }]) => untilMs > (lastPassAt ?? 0))
    .map(([provider, { untilMs }]) => `- ${provider} gives no answer and is left alone until ${time(untilMs)}`);
  return [
    trouble === null
      ? `Last pass: ${time(lastPassAt)}. Next due: ${time(nextDueAt)}.`
      : `The last pass broke off: ${trouble}`,
    ...section('Not settled', states.length === 0 ? ['- nothing'] : states),
    ...(untold === 0 ? [] : section('To be told', [`- ${untold}`])),
    ...(resting.length === 0 ? [] : section('Providers', resting)),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `**${title}**`, '', ...lines];
}

function time(ms: number | null): string {
  return ms === null ? 'nothing' : new Date(ms).toISOString();
}
