import { connectClient } from '../src/client/connect-client';
import type { Settings } from '../src/settings';
import { scriptedModel } from '../src/testing/scripted-model';
import { startWorker } from '../src/worker';
import type { BareRows } from './bare-rows';
import { Downstream, payee } from './downstream';
import type { Side } from './measure';
import { TENANT } from './one-operation';
import { INSTRUCTIONS, payingAgent, request, type Shape } from './turn-script';
import { GUARDED, guardedPayout, PLAIN, plainPayout } from './turn-tools';

export interface OurTurns {
  /** A turn as a client of sendonce has it: the message stored, the turn run, its reply read. */
  side(measure: string, shape: Shape, tool: 'guarded' | 'plain'): Side;
  close(): Promise<void>;
}

/** sendonce's worker and client, with their default options. */
export async function openOurTurns(settings: Settings, bare: BareRows): Promise<OurTurns> {
  const downstreams = { guarded: new Downstream(), plain: new Downstream() };
  const taskQueue = 'bench-sendonce';
  const worker = await startWorker({
    settings,
    taskQueue,
    tools: [guardedPayout(downstreams.guarded), plainPayout(downstreams.plain, bare)],
    model: scriptedModel(payingAgent),
    instructions: INSTRUCTIONS,
  });
  const client = await connectClient({ settings, taskQueue });
  return {
    side: (measure, shape, tool) => ({
      name: tool === 'guarded' ? 'guarded tool' : 'plain activity',
      run: async (unit) => {
        const session = client.session({ tenant: TENANT, customer: 'customer-77', sessionId: `chat-${unit}` });
        const asked = { shape, tool: tool === 'guarded' ? GUARDED : PLAIN, to: payee(measure, unit) };
        const { text, outcome } = await session.say(request(asked), { requestKey: 'message-1' });
        if (outcome !== 'answered' || !text.startsWith('Done')) throw new Error(`chat-${unit}: ${outcome}, ${text}`);
      },
      effects: async () => downstreams[tool].effects(measure),
      workflowIdOf: (unit) => `turn/${TENANT}/chat-${unit}/1`,
    }),
    close: async () => {
      await client.close();
      await worker.stop();
    },
  };
}
