import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findTemporalCli } from '../../src/dev/servers/temporal-programs';

/** A workflow's history as Temporal's own command line exports it, from the test run's server. */
export async function exportHistory(workflowId: string): Promise<string> {
  const address = process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'] ?? '';
  const command = ['workflow', 'show', '--address', address, '--workflow-id', workflowId, '--output', 'json'];
  const { stdout } = await promisify(execFile)(await findTemporalCli(), command, { maxBuffer: 50_000_000 });
  return stdout;
}
