import type { AiSdkTurns } from './ai-sdk/ai-sdk-turns';
import type { Measure } from './measure';
import type { OurTurns } from './our-turn';
import type { Shape } from './turn-script';

/** A turn of three guarded calls against the same turn of Temporal's AI SDK plugin, its tools plain activities. */
export function threeCalls(ours: OurTurns, theirs: AiSdkTurns): readonly Measure[] {
  const measure = (id: string, title: string, shape: Shape): Measure => ({
    ...{ id, title, unit: 'turn' },
    ours: ours.side(id, shape, 'guarded'),
    against: theirs.side(id, shape),
    aim: { of: 'time', atMost: 0.8 },
  });
  return [
    measure('three-in-a-row', 'Turn of three calls, one by one', 'three payouts one by one'),
    measure('three-at-once', 'Turn of three calls at once', 'three payouts at once'),
  ];
}
