// The package's workflows, and one of the team's own.
import { sleep } from '@temporalio/workflow';

export * from 'sendonce/workflows';

export async function dunning() {
  await sleep('30 days');
  return 'reminded';
}
