// Says something as a customer, and prints what the customer is told: docker compose run --rm say "Refund order 1043".
import { randomUUID } from 'node:crypto';
import { connectClient } from 'sendonce/client';

const [text] = process.argv.slice(2);
if (text === undefined) {
  console.error('Say what the customer says, for example "Please refund order 1043".');
  process.exit(1);
}
const client = await connectClient();
try {
  const session = client.session({ tenant: 'shop', customer: 'customer-1', sessionId: 'docker' });
  // A service would take the key of the message it got: the same one twice is one turn.
  const { text: reply, workflowId } = await session.say(text, { requestKey: randomUUID() });
  console.log(`${reply}\n\nIn Temporal's UI: ${workflowId}`);
} finally {
  await client.close();
}
