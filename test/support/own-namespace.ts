import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { until } from './until';

const RETENTION_SECONDS = 86_400;

/**
 * A namespace on the test run's Temporal, for programs that use the default task queue as their readers will: no worker
 * of another test takes their turns.
 */
export async function createNamespace(): Promise<string> {
  const address = process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'];
  if (address === undefined) throw new Error('The first line of the test file must say that it needs Temporal.');
  const namespace = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  try {
    const workflowExecutionRetentionPeriod = { seconds: RETENTION_SECONDS as never };
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    // The server learns of it by and by.
    await until(async () =>
      connection.workflowService.listOpenWorkflowExecutions({ namespace, startTimeFilter: {} }).then(
        () => true,
        () => false,
      ),
    );
  } finally {
    await connection.close();
  }
  return namespace;
}
