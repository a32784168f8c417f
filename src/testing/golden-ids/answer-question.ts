import { RefusedError } from '../../operations/refused-error';
import { parseInput } from '../../tools/parse-input';
import type { OperationTool } from '../../tools/tool';
import type { GoldenQuestion } from './golden-case';

/** What a tool makes of one input now. */
export type GoldenAnswer =
  | ({ readonly kind: 'planned' } & Planned)
  /** Two runs gave two answers. */
  | { readonly kind: 'unstable'; readonly first: Planned; readonly again: Planned }
  | { readonly kind: 'refused'; readonly message: string };

interface Planned {
  readonly operationId: string;
  /** Canonical text. */
  readonly intent: string;
}

/** Runs the tool as a turn does, twice: in two calls and, unless the question names one, in two sessions. */
export async function answerQuestion(tool: OperationTool, question: GoldenQuestion): Promise<GoldenAnswer> {
  const parsed = await parseInput(tool, question.input);
  if (parsed.kind === 'invalid') return { kind: 'refused', message: parsed.message };
  const plan = (run: number): Promise<Planned> => {
    const { tenant, customer, sessionId = `golden-ids-${run}` } = question;
    return tool.plan(parsed.input, { tenant, customer, sessionId, callId: `${sessionId}/${run}/1/0` });
  };
  try {
    const [first, again] = [await plan(1), await plan(2)];
    const { operationId, intent } = first;
    if (operationId !== again.operationId || intent !== again.intent) return { kind: 'unstable', first, again };
    return { kind: 'planned', operationId, intent };
  } catch (error) {
    if (error instanceof RefusedError) return { kind: 'refused', message: error.message };
    throw error;
  }
}
