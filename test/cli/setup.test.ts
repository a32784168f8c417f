// Needs Temporal.
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { runCli, temporalSetting } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';

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
  }, 60_000);

  test('refused by the server → what to run instead, exit code 1', async () => {
    const settings = { ...temporalSetting(), TEMPORAL_NAMESPACE: 'not-there' };
    const { code, stdout, stderr } = await runCli(['setup'], settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^sendonce: The search attributes of namespace not-there could not be registered: .* Run, with the right to do so: temporal operator search-attribute create --namespace not-there --name SendonceSession --type Keyword --name SendonceOperation --type KeywordList\n$/,
    );
  });
});
