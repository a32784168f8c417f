import { ConformanceSetupError } from './conformance-setup-error';
import { checkDownstream } from './downstream';
import { DYING_ANYWHERE } from './engine-promises/dying-anywhere';
import { IDENTITY } from './engine-promises/identity';
import { TROUBLE } from './engine-promises/trouble';
import type { OperationCheck } from './operation-check';
import { ASKING_AGAIN } from './operation-promises/asking-again';
import { DYING } from './operation-promises/dying';
import { RECORDS } from './operation-promises/records';
import { OperationWorld } from './operation-world';
import { type CheckedPromise, type Finding, findingsOf } from './promise';
import { registerTests } from './register-tests';

const OF_EVERY_TOOL: readonly CheckedPromise<OperationWorld>[] = [...ASKING_AGAIN, ...RECORDS, ...DYING];
const OF_OURS: readonly CheckedPromise<OperationWorld>[] = [...IDENTITY, ...DYING_ANYWHERE, ...TROUBLE];

/**
 * Puts a tool through the fault matrix and gives what became of each of its promises. Needs no test runner, no database and
 * no Temporal. Throws ConformanceSetupError where nothing can be checked as it is set up.
 */
export async function checkOperation(check: OperationCheck): Promise<readonly Finding[]> {
  return findingsOf(promisesOf(check), worldOf(check));
}

/**
 * The same as jest tests, one a promise: a broken one fails with words that say how, and one that cannot be checked is
 * skipped with the reason. Call it at the top of a test file.
 */
export function describeOperation(check: OperationCheck): void {
  registerTests(check.name ?? 'the tool', promisesOf(check), worldOf(check));
}

function promisesOf({ tool }: OperationCheck): readonly CheckedPromise<OperationWorld>[] {
  return tool ? [...OF_EVERY_TOOL, ...OF_OURS] : OF_EVERY_TOOL;
}

function worldOf(check: OperationCheck): OperationWorld {
  if ((typeof check?.tool === 'function') === (typeof check?.operation === 'function')) {
    throw new ConformanceSetupError(
      'describeOperation needs either tool: (at) => a tool made by defineOperation, or operation: (at) => an adapter of any other tool.',
    );
  }
  if (typeof check.input !== 'function') {
    throw new ConformanceSetupError(
      'describeOperation needs input: (nth) => the arguments of the nth business intent.',
    );
  }
  checkDownstream(check.downstream, 'describeOperation needs downstream: what the tool talks to.');
  return new OperationWorld(check);
}
