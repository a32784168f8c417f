import { setWorkflowOptions } from '@temporalio/workflow';
import { agentTurn } from '../../src/workflows';

setWorkflowOptions({ versioningBehavior: 'PINNED' }, agentTurn);

export * from '../../src/workflows';
