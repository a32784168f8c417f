import type { Measure } from './measure';
import type { OurTurns } from './our-turn';

/** What guarding a call costs: the same turn, its tool once guarded and once a plain activity with two bare commits. */
export function guardedTurn(turns: OurTurns): Measure {
  const id = 'guarded-turn';
  return {
    id,
    title: 'Turn of one call',
    unit: 'turn',
    ours: turns.side(id, 'one payout', 'guarded'),
    against: turns.side(id, 'one payout', 'plain'),
    aim: { of: 'time', atMost: 1.05 },
  };
}
