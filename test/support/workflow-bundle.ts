import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkerOptions } from '@temporalio/worker';

const ROOT = join(__dirname, '../..');
const CACHE = join(ROOT, '.cache', 'test-bundles');
const WORKFLOWS = join(ROOT, 'src/workflows');

/** What `Worker.create` and `Worker.runReplayHistories` take as `workflowBundle`. */
export interface WorkflowBundle {
  readonly code: string;
}

/** One change of a file in src/workflows, as a diff would show it: `from` stands there once. */
export interface SourceEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

type WebpackConfigHook = NonNullable<NonNullable<WorkerOptions['bundlerOptions']>['webpackConfigHook']>;

/**
 * The workflows as one file, made once for as long as no source changes: bundling takes seconds, reading does not. With
 * edits: as they would be in another release.
 */
export async function workflowBundle(edits: readonly SourceEdit[] = []): Promise<WorkflowBundle> {
  const sources = digest();
  const name = edits.length === 0 ? `${sources}.js` : `${sources}-${shortHash(JSON.stringify(edits))}.js`;
  const known = read(join(CACHE, name));
  if (known !== null) return { code: known };
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    logger: new DefaultLogger('ERROR'),
    webpackConfigHook: edited(edits),
  });
  mkdirSync(CACHE, { recursive: true });
  const stale = readdirSync(CACHE).filter((each) => each.endsWith('.js') && !each.startsWith(sources));
  for (const each of stale) rmSync(join(CACHE, each), { force: true });
  // Another process may be making the same one.
  const unfinished = join(CACHE, `${name}.${process.pid}`);
  writeFileSync(unfinished, code);
  renameSync(unfinished, join(CACHE, name));
  return { code };
}

/** The sources are edited on their way into the bundle, so that a variant is a few lines and never lags behind them. */
function edited(edits: readonly SourceEdit[]): WebpackConfigHook {
  const files = [...new Set(edits.map(({ file }) => file))];
  return (config) => ({
    ...config,
    module: {
      ...config.module,
      rules: [
        ...(config.module?.rules ?? []),
        ...files.map((file) => ({
          enforce: 'pre' as const,
          include: join(WORKFLOWS, file),
          loader: require.resolve('./edit-source.cjs'),
          options: { edits: edits.filter((edit) => edit.file === file) },
        })),
      ],
    },
  });
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
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const texts = sources
    .filter((each) => each.endsWith('.ts'))
    .sort()
    .map((path) => `${path}\0${readFileSync(join(ROOT, 'src', path), 'utf8')}`);
  return shortHash([lock, ...texts].join('\0'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
