import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';

/**
 * The package's workflows: the bundle that the build made, where there is one; it saves a second or two at each start. Not
 * where the converter or interceptors are in files of the user's: those are bundled with the workflows, and the ready-made
 * bundle lacks them.
 */
export function workflowSource({
  dataConverter = {},
  interceptors = {},
}: Pick<WorkerOptions, 'dataConverter' | 'interceptors'> = {}):
  | Pick<WorkerOptions, 'workflowBundle'>
  | Pick<WorkerOptions, 'workflowsPath'> {
  const codePath = join(__dirname, 'workflow-bundle.js');
  const { payloadConverterPath, failureConverterPath } = dataConverter;
  const { workflowModules = [] } = interceptors;
  const theirs = [payloadConverterPath, failureConverterPath, ...workflowModules];
  const isReadyMade = theirs.every((file) => file === undefined);
  return isReadyMade && existsSync(codePath)
    ? { workflowBundle: { codePath } }
    : { workflowsPath: require.resolve('./workflows') };
}
