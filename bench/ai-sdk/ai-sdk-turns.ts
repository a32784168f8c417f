import { AiSdkPlugin } from '@temporalio/ai-sdk';
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Settings } from '../../src/settings';
import { scriptedModel } from '../../src/testing/scripted-model';
import type { BareRows } from '../bare-rows';
import { Downstream, payee } from '../downstream';
import type { Side } from '../measure';
import { INSTRUCTIONS, payingAgent, request, type Shape } from '../turn-script';
import { DESCRIPTION, PLAIN, payOutPlainly } from '../turn-tools';
import type { aiSdkTurn, PlainActivities } from './turn-workflow';

export interface AiSdkTurns {
  side(measure: string, shape: Shape): Side;
  close(): Promise<void>;
}

const TASK_QUEUE = 'bench-ai-sdk';

/** Temporal's own way to run the AI SDK, with its default options. Each tool call makes two bare commits, as ours does. */
export async function openAiSdkTurns({ temporal }: Settings, client: Client, bare: BareRows): Promise<AiSdkTurns> {
  const downstream = new Downstream();
  const model = scriptedModel(payingAgent);
  const unused = (): never => {
    throw new Error('Bug: the turns have a language model only.');
  };
  const activities: PlainActivities = {
    payOut: ({ callId, ...input }) => payOutPlainly(downstream, bare, callId, input),
  };
  const connection = await NativeConnection.connect(temporal.connection);
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowsPath: require.resolve('./turn-workflow'),
    activities,
    plugins: [
      new AiSdkPlugin({
        modelProvider: {
          specificationVersion: 'v4',
          languageModel: () => model,
          embeddingModel: unused,
          imageModel: unused,
        },
      }),
    ],
  });
  const stopped = worker.run();
  const workflowIdOf = (unit: number) => `ai-sdk/chat-${unit}`;
  return {
    side: (measure, shape) => ({
      name: '@temporalio/ai-sdk',
      run: async (unit) => {
        const message = request({ shape, tool: PLAIN, to: payee(measure, unit) });
        const text = await client.workflow.execute<typeof aiSdkTurn>('aiSdkTurn', {
          workflowId: workflowIdOf(unit),
          taskQueue: TASK_QUEUE,
          args: [{ message, instructions: INSTRUCTIONS, toolName: PLAIN, description: DESCRIPTION }],
        });
        if (!text.startsWith('Done')) throw new Error(`${workflowIdOf(unit)}: ${text}`);
      },
      effects: async () => downstream.effects(measure),
      workflowIdOf,
    }),
    close: async () => {
      worker.shutdown();
      await stopped;
      await connection.close();
    },
  };
}
