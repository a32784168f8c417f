import type { Behaviour, Budget, Scenario } from '../../src/testing/explorer/scenario';
import type { Kind } from './kinds';

/** What a group of scenarios is about; it is explored at each kind of contract. */
export interface Theme {
  readonly id: string;
  /** Ends the sentence "no rule is broken when …". */
  readonly about: string;
  readonly parts: Partial<Scenario>;
  readonly budget: Partial<Budget>;
  /** Where it means something; left out: at every kind. */
  readonly at?: (kind: Kind) => boolean;
  /** IDs of the kinds at which `--quick` looks at it; left out: none. */
  readonly quick?: readonly string[];
  /** Too many worlds for a run of minutes. */
  readonly isDeepOnly?: boolean;
  /** What `--deep` adds to the budget. */
  readonly deeper?: Partial<Budget>;
  /** How the calls' traces must be able to end, by the codes they are told: else it did not happen at all. */
  readonly reaches?: string;
}

/** All that a provider may do with a new request, but for an answer about something else. */
export const EVERYTHING: readonly Behaviour[] = [
  'pends',
  'fails',
  'refuses',
  'refuses-early',
  'turns-away',
  'errs-with-effect',
  'errs-without-effect',
  'breaks',
];

/** The kinds that differ most, for themes that need no more in a quick run. */
export const SOME = ['every-answer+query', 'no-key'] as const;
