import { Client, Connection } from '@temporalio/client';
import { workflowIdOf } from '../../src/conversations/refs';
import { readTranscript } from '../../src/conversations/transcript';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { CellParts } from './cell-parts';
import { statusOf } from './cell-workflows';
import type { Run } from './judge';
import { countUntold } from './read-progress';
import type { Stage } from './stage';

/** One customer each has a session, a payment and an operation. */
export function customerNumbers(runs: number): readonly string[] {
  return Array.from({ length: runs }, (_, index) => String(index + 1));
}

/** All that is known of a cell's operations, once their sessions' workflows have closed. */
export async function gatherRuns(parts: CellParts, { temporal }: Stage, runs: number): Promise<readonly Run[]> {
  const { tenant } = parts;
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection });
    const numbers = customerNumbers(runs);
    // They close last, after what they hand to the hook.
    await Promise.all(numbers.map((number) => statusOf(client, sessionWorkflow(tenant, number))));
    return await Promise.all(numbers.map((number) => gather(parts, client, number)));
  } finally {
    await connection.close();
  }
}

async function gather(
  { tenant, database, stripe, first, second }: CellParts,
  client: Client,
  number: string,
): Promise<Run> {
  const operationId = `refund-pi_${number}`;
  const payment = `pi_${number}`;
  const session = { tenant, sessionId: `chat-${number}` };
  const turns = await readTranscript(database, { ...session, turn: 1_000 });
  const workflows = [sessionWorkflow(tenant, number), ...turns.map(({ turn }) => workflowIdOf({ ...session, turn }))];
  const statuses = await Promise.all(workflows.map(async (id) => [id, await statusOf(client, id)] as const));
  const { events } = await new PostgresLedger(database).load({ tenant, operationId });
  const { effects, sends } = stripe.report();
  const words = [first, second].flatMap((worker) => worker?.words ?? []);
  return {
    operationId,
    effects: effects.filter(({ paymentIntent }) => paymentIntent === payment),
    sends: sends.filter(({ body }) => new URLSearchParams(body).get('payment_intent') === payment),
    events,
    turns,
    delivered: new Set(words.flatMap((said) => (said.word === 'delivered' ? [said.messageId] : []))),
    workflows: new Map(statuses),
    untold: await countUntold(database, operationId),
    escalated: words.some((said) => said.word === 'escalated' && said.key.startsWith(`${tenant}/${operationId}/`)),
  };
}

function sessionWorkflow(tenant: string, number: string): string {
  return `session/${tenant}/chat-${number}`;
}
