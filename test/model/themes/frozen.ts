import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { hasKey } from '../kinds';
import type { Theme } from '../theme';

const one = { calls: ONE_CALL } as const;
const HERE = ['every-answer+query'] as const;

/** Temporal retries a call whose older attempt is only frozen and wakes at any time. */
export const FROZEN: readonly Theme[] = [
  {
    id: 'frozen-and-dead',
    about: 'two attempts of a call are at work, and one dies',
    parts: one,
    budget: { overlaps: 1, losses: 1, crashes: 1 },
    quick: HERE,
    deeper: { losses: 1 },
  },
  {
    id: 'frozen-turned-away',
    about: 'one of three attempts is frozen and sends do not leave',
    parts: { ...one, activityAttempts: 3, behaviours: ['turns-away'] },
    budget: { overlaps: 1, faults: 2 },
    quick: HERE,
    deeper: { overlaps: 1 },
  },
  {
    id: 'frozen-past-deadline',
    about: 'an attempt is frozen past its send deadline',
    parts: { ...one, moments: ['send deadline', 'nothing arrives any more'] },
    budget: { overlaps: 1, losses: 1, jumps: 1 },
    quick: HERE,
    deeper: { jumps: 1, crashes: 1 },
  },
  {
    id: 'window-and-clock',
    about: 'the window ends meanwhile and the clock is set back',
    parts: { ...one, moments: ['last resend', 'resends end', 'key forgotten'] },
    budget: { crashes: 1, losses: 1, jumps: 2, setBacks: 1 },
    at: hasKey,
    quick: ['every-answer'],
    deeper: { overlaps: 1 },
  },
  {
    id: 'frozen-and-closed',
    about: 'the call is closed while an attempt is frozen',
    parts: { ...one, behaviours: ['turns-away'] },
    budget: { overlaps: 1, closings: 1, faults: 1 },
    quick: HERE,
    deeper: { losses: 1 },
  },
  {
    id: 'frozen-and-refused',
    about: 'the business refuses one of two attempts of a call',
    parts: one,
    budget: { overlaps: 1, closings: 1, refusals: 1 },
    quick: HERE,
    deeper: { losses: 1 },
  },
  {
    id: 'frozen-and-joined',
    about: 'another call joins two attempts of one',
    parts: {},
    budget: { overlaps: 1 },
    quick: ['no-key'],
    deeper: { losses: 1 },
  },
];
