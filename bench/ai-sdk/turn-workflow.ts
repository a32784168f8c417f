import { TemporalProvider } from '@temporalio/ai-sdk/workflow';
import { proxyActivities } from '@temporalio/workflow';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

/** What the tool's activity gets. */
export interface PlainCall {
  readonly to: string;
  readonly amount: number;
  readonly reason: string;
  readonly callId: string;
}

export interface AiSdkTurnInput {
  readonly message: string;
  readonly instructions: string;
  /** The tool's name and description, as ours has them. */
  readonly toolName: string;
  readonly description: string;
}

export interface PlainActivities {
  payOut(call: PlainCall): Promise<string>;
}

const { payOut } = proxyActivities<PlainActivities>({ startToCloseTimeout: '1 minute' });
const model = new TemporalProvider().languageModel('scripted');

/** The turn as @temporalio/ai-sdk has it: the loop in the workflow, each model call and each tool call an activity. */
export async function aiSdkTurn({ message, instructions, toolName, description }: AiSdkTurnInput): Promise<string> {
  const { text } = await generateText({
    model,
    instructions,
    prompt: message,
    tools: {
      [toolName]: tool({
        description,
        inputSchema: z.object({ to: z.string(), amount: z.int(), reason: z.string() }),
        execute: (input, { toolCallId }) => payOut({ ...input, callId: toolCallId }),
      }),
    },
    stopWhen: isStepCount(12),
  });
  return text;
}
