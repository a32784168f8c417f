import type { Script } from '../../testing/scripted-model';
import { asTold } from './askings/as-told';
import { everyLine } from './askings/every-line';
import { once } from './askings/once';
import { oneLine } from './askings/one-line';
import { pieces } from './askings/pieces';
import { requests } from './askings/requests';
import { spelled } from './askings/spelled';
import { twiceAtOnce } from './askings/twice-at-once';
import { type Asking, eagerAgent } from './eager-agent';
import type { RefundTool } from './refund-tool';

/** How the demo's agent asks for refunds, by the names that scenarios and workers go by. */
export const ASKINGS = {
  'one-line': eager(oneLine),
  once: eager(once),
  'twice-at-once': eager(twiceAtOnce),
  'every-line': eager(everyLine),
  pieces: eager(pieces),
  spelled: eager(spelled),
  requests: eager(requests),
  'as-told': asTold,
} as const satisfies Record<string, (tool: RefundTool) => Script>;

export type AskingName = keyof typeof ASKINGS;
export const ASKING_NAMES = Object.keys(ASKINGS) as AskingName[];

function eager(asking: Asking): (tool: RefundTool) => Script {
  return (tool) => eagerAgent(asking, tool);
}
