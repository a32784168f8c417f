import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const ROOT = join(__dirname, '../..');
const CACHE = join(ROOT, '.cache', 'test-bundles');

/** What `Worker.create` and `Worker.runReplayHistories` take as `workflowBundle`. */
export interface WorkflowBundle {
  readonly code: string;
}

/** The workflows as one file, made once for as long as no source changes: bundling takes seconds, reading does not. */
export async function workflowBundle(): Promise<WorkflowBundle> {
  const name = `${digest()}.js`;
  const known = read(join(CACHE, name));
  if (known !== null) return { code: known };
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'src/workflows'),
    logger: new DefaultLogger('ERROR'),
  });
  mkdirSync(CACHE, { recursive: true });
  for (const stale of readdirSync(CACHE).filter((each) => each.endsWith('.js'))) rmSync(join(CACHE, stale));
  // Another process may be making the same one.
  const unfinished = join(CACHE, `${name}.${process.pid}`);
  writeFileSync(unfinished, code);
  renameSync(unfinished, join(CACHE, name));
  return { code };
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Of all sources, not of the workflows alone: what they import today says nothing of tomorrow. */
function digest(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  for (const path of sources.filter((each) => each.endsWith('.ts')).sort()) {
    hash.update(`\0${path}\0`).update(readFileSync(join(ROOT, 'src', path)));
  }
  return hash.digest('hex').slice(0, 16);
}
