import type { History } from './history';
import { eventName, localActivityName } from './history-event';

/**
 * Why a history does not replay, in words: what it has, and what these workflows do instead. The details come from Temporal's core, which
 * prints a workflow's failure as its own code sees it (`Failure { message: "…", stack_trace: "…\n…" }`); what was said is the
 * message in it.
 */
export function problemText({ message: whole }: Error, history: History): string {
  const [, summary, quoted] = /^(.*?)Details: .*?\bFailure \{ message: "((?:[^"\\]|\\.)*)"/s.exec(whole) ?? [];
  if (summary === undefined || quoted === undefined) return whole;
  const said = unescaped(quoted);
  const absent = /workflow of type '(.+)': no such function/.exec(said)?.[1];
  if (absent !== undefined) {
    return `There is no workflow ${absent} in these workflows. Name the file that has it (--workflows, workflowsPath).`;
  }
  const encoding = /Unknown encoding: ([\w/.+-]+)/.exec(said)?.[1];
  if (encoding !== undefined) {
    return (
      `Its payloads are written as ${encoding}, which is not read here. ` +
      'Name the data converter of its worker (--tools, dataConverter).'
    );
  }
  const difference = differenceOf(said, history);
  return difference === null ? `${summary}${said}` : `${difference} Temporal says: ${said}`;
}

/** Temporal's words for the commands of a workflow, as its machines are called. */
const STEPS: Readonly<Record<string, string>> = {
  Timer: 'start a timer',
  Activity: 'run an activity',
  'Local Activity': 'run a local activity',
  LocalActivity: 'run a local activity',
  'Child Workflow': 'start a child workflow',
  ChildWorkflow: 'start a child workflow',
  'Continue As New Workflow': 'continue as new',
  'Complete Workflow': 'end',
  'Fail Workflow': 'fail',
  Patch: 'check for a patch',
};

/** Null where Temporal's own words are all there is. */
function differenceOf(said: string, history: History): string | null {
  const [, machine, handledId] =
    /error: (.+?) machine does not handle this event: HistoryEvent\(id: (\d+)/.exec(said) ?? [];
  if (machine !== undefined && handledId !== undefined) {
    const step = STEPS[machine.trim()] ?? `do something else (${machine.trim()})`;
    return `The history has ${eventName(history, handledId)}, where these workflows ${step}.`;
  }
  const [, what, was, is] =
    /(Activity|Child workflow) type of scheduled event '(.*?)' does not match .* type of .*command '(.*?)'/i.exec(
      said,
    ) ?? [];
  if (what !== undefined) return `The history has ${what.toLowerCase()} ${was}, where these workflows run ${is}.`;
  const unmatched = /No command scheduled for event HistoryEvent\(id: (\d+)/.exec(said)?.[1];
  if (unmatched !== undefined) {
    return `The history has ${eventName(history, unmatched)}, where these workflows do nothing of the kind.`;
  }
  const local = /Missing associated machine for LocalActivity\((\d+)\)/.exec(said)?.[1];
  if (local !== undefined) {
    return `The history has ${localActivityName(history, Number(local))}, where these workflows do something else first.`;
  }
  return null;
}

/** As Rust writes characters in quotes. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u\{([0-9a-f]+)\}|(.))/g, (_all, code: string | undefined, character: string) => {
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return { n: '\n', r: '\r', t: '\t', '0': '\0' }[character] ?? character;
  });
}
