import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProblem } from '../build/freshness.mjs';
import { BootstrapError } from './bootstrap-error.mjs';
import { install, installProblem } from './install.mjs';
import { withLock } from './lock.mjs';
import { projectNode } from './project-node.mjs';
import { runProgram, runStep } from './run.mjs';
import { say } from './say.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const programs = {
  start: { script: 'dist/dev/main.js', nodeFlags: ['--enable-source-maps'] },
  clock: { script: 'dist/dev/clock/main.js', nodeFlags: ['--enable-source-maps'] },
  // Without the flag: jest maps its stack traces itself.
  test: { script: 'node_modules/jest/bin/jest.js', nodeFlags: [] },
  bench: { script: 'bench/run.cjs', nodeFlags: [] },
  model: { script: 'test/model/run.cjs', nodeFlags: [] },
  faults: { script: 'test/faults/run.cjs', nodeFlags: [] },
  mutation: { script: 'test/mutation/run.mjs', nodeFlags: [] },
};

/** Returns the exit code. */
export async function main([mode, ...args]) {
  const program = Object.hasOwn(programs, mode ?? '') ? programs[mode] : undefined;
  if (program === undefined) {
    say('usage: node scripts/bootstrap.mjs start|clock|test|bench|model|faults|mutation [arguments]');
    return 2;
  }
  try {
    await prepare();
    const script = join(root, program.script);
    if (!existsSync(script)) throw new BootstrapError(`${program.script} is missing: is this clone complete?`);
    return await runProgram(projectNode(root), [...program.nodeFlags, script, ...args], { cwd: root });
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    if (error.message !== '') say(error.message);
    return error.exitCode;
  }
}

/**
 * Asked again under the lock: the one who held it before us may have done the work. Without anything to do the lock is
 * not touched, so a running program never keeps another start waiting.
 */
async function prepare() {
  if (problem() === null) return;
  await withLock(
    join(root, '.cache', 'bootstrap.lock'),
    'start in this folder to finish its preparations',
    async () => {
      const missing = installProblem(root);
      if (missing !== null) await install(root, missing);
      const stale = buildProblem(root);
      if (stale === null) return;
      say(`building: ${stale}`);
      const code = await runStep(projectNode(root), [join(root, 'scripts', 'build.mjs')], { cwd: root });
      // It has said why.
      if (code !== 0) throw new BootstrapError('', code);
    },
  );
}

function problem() {
  return installProblem(root) ?? buildProblem(root);
}
