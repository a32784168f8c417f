import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { NODE } from './demo-command';
import { type CodeBlock, ROOT } from './markdown';

/** A project that has the package installed, for the TypeScript of a page. */
export interface SnippetProject {
  readonly path: string;
  write(file: string, content: string): void;
  /** What the compiler finds wrong in the files written so far, as it prints it; empty where nothing is. */
  check(): Promise<string>;
  /** Runs a file and gives what it printed. Throws where it fails. */
  run(file: string, env?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs the package's command as `npx sendonce` does. */
  sendonce(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Starts a file that goes on running. */
  start(file: string, env?: Readonly<Record<string, string>>): RunningSnippet;
  /** Ends what still runs, and removes the files. */
  remove(): Promise<void>;
}

export interface RunningSnippet {
  /** Waits until it has printed this. Throws, with what it printed, where it ends before. */
  said(text: string): Promise<void>;
  /** As Ctrl-C would; gives all that it printed. */
  interrupt(): Promise<string>;
}

const RUN_TIMEOUT_MS = 60_000;

const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

/** Node runs TypeScript by leaving out the types, so these settings allow only what can be left out. */
const COMPILER_OPTIONS = {
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  // A snippet may end with what it has read. Its reader's project is strict, and need not be stricter.
  noUnusedLocals: false,
  exactOptionalPropertyTypes: false,
  noPropertyAccessFromIndexSignature: false,
  allowJs: true,
  checkJs: true,
  types: ['node'],
};

/** Needs dist: what is compiled and run against is the package as it is built. */
export function snippetProject(): SnippetProject {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const path = mkdtempSync(join(ROOT, '.cache', 'snippets-'));
  const files: string[] = [];
  const children: ChildProcess[] = [];
  mkdirSync(join(path, 'node_modules'));
  symlinkSync(ROOT, join(path, 'node_modules', 'sendonce'), 'dir');
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  return {
    path,
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
      files.push(file);
    },
    check: async () => {
      const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: COMPILER_OPTIONS, include: [], files };
      writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(settings));
      const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
      return execute([tsc, '-p', path, '--pretty', 'false'], path).then(
        () => '',
        (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}` || String(error),
      );
    },
    run: (file, env = {}) => execute([...NODE_FLAGS, join(path, file)], path, env),
    sendonce: (args, env = {}) => execute([join(ROOT, 'dist', 'cli', 'main.js'), ...args], path, env),
    start: (file, env = {}) => {
      const child = spawn(NODE, [...NODE_FLAGS, join(path, file)], { cwd: path, env: environment(env) });
      children.push(child);
      return running(child);
    },
    remove: async () => {
      const left = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      for (const child of left) child.kill('SIGKILL');
      await Promise.all(left.map((child) => once(child, 'close')));
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function execute(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return (
    await promisify(execFile)(NODE, args, {
      cwd,
      timeout: RUN_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      env: environment(env),
    })
  ).stdout;
}

/** Of this process only what every program needs: no setting of the person who runs the tests. */
function environment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env };
}

function running(child: ChildProcess): RunningSnippet {
  let output = '';
  const ended = once(child, 'close');
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
  return {
    said: async (text) => {
      while (!output.includes(text)) {
        const race = await Promise.race([ended, once(child.stdout ?? child, 'data')]);
        if (race.length === 2) throw new Error(`It ended before it said ${JSON.stringify(text)}:\n${output}`);
      }
    },
    interrupt: async () => {
      child.kill('SIGINT');
      await ended;
      return output;
    },
  };
}

/** Where the block is written: its own name, or page and line, so that the compiler's words lead to it. */
export function fileOf({ page, line, file, language }: CodeBlock): string {
  const folder = page.replace(/\.md$/, '').replaceAll('/', '-');
  return join(folder, file ?? `line-${line + 1}.${language}`);
}

/** What the reader is told to have comes last: the block keeps its line numbers, and imports count wherever they stand. */
export function contentOf({ code, given }: CodeBlock): string {
  return `${code}\n${given}\n`;
}
