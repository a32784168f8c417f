// Needs Temporal.
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { runCli, temporalSetting } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { createNamespace } from '../support/own-namespace';

let connection: Connection;
beforeAll(async () => {
  await buildDemo();
  connection = await Connection.connect({ address: temporalSetting().TEMPORAL_ADDRESS });
}, 120_000);
afterAll(() => connection.close());

describe('sendonce setup', () => {
  test('registers what a namespace lacks, says so, and has nothing to do the second time', async () => {
    const namespace = `setup-${randomUUID().slice(0, 8)}`;
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    const settings = { ...temporalSetting(), TEMPORAL_NAMESPACE: namespace };
    // The server's parts hear of a new namespace one after the other.
    let first = await runCli(['setup'], settings);
    while (first.code !== 0) first = await runCli(['setup'], settings);
    expect(first.stdout).toBe(
      `The namespace ${namespace} has its search attributes; registered SendonceSession, SendonceOperation.\n`,
    );
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(['SendonceSession', 'SendonceOperation']));
    const second = await runCli(['setup'], settings);
    expect(second).toEqual({ code: 0, stderr: '', stdout: `The namespace ${namespace} has its search attributes.\n` });
  });

  test('a namespace that is not there → the setting is named, exit code 1', async () => {
    const settings = { ...temporalSetting(), TEMPORAL_NAMESPACE: 'not-there' };
    expect(await runCli(['setup'], settings)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^sendonce: Temporal at \S+ has no namespace not-there\. Set TEMPORAL_NAMESPACE .*\n$/,
      ),
    });
  });

  test('refused by the server → what to run instead, exit code 1', async () => {
    const namespace = await createNamespace();
    await takeAllKeywords(namespace);
    const { code, stdout, stderr } = await runCli(['setup'], { ...temporalSetting(), TEMPORAL_NAMESPACE: namespace });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^sendonce: The search attributes of namespace \S+ could not be registered: .*[^.]\. Run, with the right to do so: temporal operator search-attribute create --namespace \S+ --name SendonceSession --type Keyword --name SendonceOperation --type KeywordList\n$/,
    );
  });
});

/** As the server's API numbers it. */
const KEYWORD = 2;

/** A namespace has room for ten of a type. */
async function takeAllKeywords(namespace: string): Promise<void> {
  const names = Array.from({ length: 10 }, (_, index) => `Taken${index}`);
  const searchAttributes = Object.fromEntries(names.map((name) => [name, KEYWORD]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}
