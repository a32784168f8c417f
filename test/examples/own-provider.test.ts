// Needs nothing but local ports: the example as its readers run it, against the package as it is built.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildDemo, NODE } from '../support/demo-command';
import { ROOT } from '../support/markdown';

const EXAMPLE = join(ROOT, 'examples', 'own-provider');

beforeAll(buildDemo, 120_000);

/** Of this process only what every program needs: the tests in the child are no part of this run. */
async function run(...args: string[]): Promise<{ readonly code: number; readonly output: string }> {
  const { PATH, HOME } = process.env;
  const child = spawn(NODE, args, { cwd: ROOT, env: { PATH, HOME, NO_COLOR: '1' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  const [code] = await once(child, 'close');
  return { code: Number(code), output };
}

test('examples/own-provider: provider and tool keep every promise they make, in a jest of their own that ends by itself', async () => {
  const jest = run(join(ROOT, 'node_modules/jest/bin/jest.js'), '-c', join(EXAMPLE, 'jest.config.cjs'));
  const compiler = run(join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', EXAMPLE);
  expect(await compiler).toEqual({ code: 0, output: '' });
  const { code, output } = await jest;
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  // Those of the contract's own gaps: no shared account, no webhooks; and nothing to change in a complaint.
  expect(output).toMatch(/Tests: +4 skipped, 4\d passed, \d+ total/);
  expect(output).toContain(
    "skipped find takes no other tenant's effect for ours (not checked: its account is not shared)",
  );
  expect(output).not.toContain('did not exit');
}, 400_000);
