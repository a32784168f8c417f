import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';

/** The package's workflows: the bundle that the build made, where there is one; it saves a second or two at each start. */
export function workflowSource(): Pick<WorkerOptions, 'workflowBundle'> | Pick<WorkerOptions, 'workflowsPath'> {
  const codePath = join(__dirname, 'workflow-bundle.js');
  return existsSync(codePath) ? { workflowBundle: { codePath } } : { workflowsPath: require.resolve('./workflows') };
}
