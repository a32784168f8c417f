/** Where operations stand when the fault comes (design, section 8). */
export const EDGES = [
  'before-mark',
  'after-mark',
  'after-effect-before-answer',
  'after-answer-before-record',
  'after-record-before-completion',
] as const;
export type Edge = (typeof EDGES)[number];

/** What goes wrong. */
export const FAULTS = {
  sigkill: 'kill -9 of the worker; another one takes over',
  sigstop: 'the worker is frozen past its heartbeat, another one takes over, then it goes on as a zombie',
  'sigstop-deadline': 'the same, frozen past the send deadline and the time-out of the answer as well',
  'postgres-restart': 'immediate shutdown of Postgres, as at a crash, and a new start',
  'commit-cut': 'the connection is cut after the commit was carried out and before it was confirmed',
  'temporal-restart': 'kill -9 of Temporal, and a new start on its database',
  'half-open-to-provider': 'what is written to the provider is swallowed, the connections stay',
  'half-open-from-provider': 'what the provider answers is swallowed, the connections stay',
  'half-open-to-ledger': 'what is written to Postgres is swallowed, the connections stay',
  'half-open-from-ledger': 'what Postgres answers is swallowed, the connections stay',
  'half-open-to-temporal': 'what is written to Temporal is swallowed, so another worker takes over from one that lives',
  'half-open-from-temporal': 'what Temporal answers is swallowed, and another worker is there to take over',
  'slow-answer': 'what is waited for at the edge comes later than every time-out there',
} as const;
export type Fault = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly Fault[];

export interface Cell {
  readonly edge: Edge;
  readonly fault: Fault;
}

const NOTHING_LEFT_TO_SEND = 'nothing more of the operation goes that way: the provider has the request';
const NO_TRAFFIC = 'the answer is there, and nothing more is said between worker and provider';

/** Cells that would show nothing that another one does not show, and why. */
const MEANINGLESS: Readonly<Partial<Record<Fault, Partial<Record<Edge, string>>>>> = {
  'sigstop-deadline': {
    'after-record-before-completion':
      'the answer is recorded, so both bounds guard nothing any more: it is sigstop again',
  },
  'commit-cut': {
    'after-mark': 'no commit comes before the send: the one of the mark is cut at before-mark',
    'after-effect-before-answer': 'its next commit is the record, which is cut at after-answer-before-record',
  },
  'half-open-to-provider': {
    'after-effect-before-answer': NOTHING_LEFT_TO_SEND,
    'after-answer-before-record': NO_TRAFFIC,
    'after-record-before-completion': NO_TRAFFIC,
  },
  'half-open-from-provider': {
    'after-answer-before-record': NO_TRAFFIC,
    'after-record-before-completion': NO_TRAFFIC,
  },
};

/** Null for a cell that is run. */
export function whyMeaningless({ edge, fault }: Cell): string | null {
  return MEANINGLESS[fault]?.[edge] ?? null;
}

/** The whole matrix, fault by fault. */
export const MATRIX: readonly Cell[] = FAULT_NAMES.flatMap((fault) => EDGES.map((edge) => ({ edge, fault })));

/** Whether the fault takes a server from everybody who uses it. */
export function endsServer(fault: Fault): boolean {
  return fault === 'postgres-restart' || fault === 'temporal-restart';
}

export function cellName({ edge, fault }: Cell): string {
  return `${edge} × ${fault}`;
}
