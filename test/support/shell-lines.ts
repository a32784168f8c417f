import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../src/dev/arguments';
import { NODE } from './demo-command';
import { type CodeBlock, ROOT } from './markdown';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies: object;
  readonly peerDependencies: object;
  readonly devDependencies: object;
}

const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const PACKAGES = ['sendonce', MANIFEST.dependencies, MANIFEST.peerDependencies, MANIFEST.devDependencies].flatMap(
  (each) => (typeof each === 'string' ? [each] : Object.keys(each)),
);

/** What `npm pack` makes of this release, beside the clone. */
const PACKED = `../${MANIFEST.name}-${MANIFEST.version}.tgz`;

/** Other people's programs, which a page may name without this repository having them. */
const FOREIGN = ['cd', 'cp', 'mkdir', 'sed', 'git', 'psql', 'temporal', 'curl', 'kill'];

/** What is wrong with the commands of a block: each must exist, with its script, its flags and its settings. */
export function shellProblems(block: CodeBlock, page: readonly CodeBlock[]): readonly string[] {
  return block.code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .flatMap((line) => line.split(/\s+(?:&&|\|)\s+/))
    .flatMap((command) => problemsOf(command, page).map((problem) => `${command}: ${problem}`));
}

function problemsOf(command: string, page: readonly CodeBlock[]): readonly string[] {
  const words = command.split(/\s+/);
  const settings = words.filter(
    (word, index) =>
      /^[A-Z][A-Z0-9_]*=/.test(word) && (index === 0 || words[0] === 'export' || /=/.test(words[index - 1] ?? '')),
  );
  const unread = settings.map((word) => word.split('=')[0] ?? '').filter((name) => !isRead(name, page));
  const [program = '', ...args] = words.filter((word) => !settings.includes(word) && word !== 'export');
  return [
    ...unread.map((name) => `nothing reads ${name}`),
    ...(program === '' ? [] : programProblems(program, args, page)),
  ];
}

function programProblems(program: string, args: readonly string[], page: readonly CodeBlock[]): readonly string[] {
  switch (program) {
    case 'npm':
      return npmProblems(args);
    case 'npx':
      return args[0] === 'sendonce' ? cliProblems(args.slice(1)) : [`npx ${args[0] ?? ''} is not ours`];
    case 'node_modules/.bin/sendonce':
      return cliProblems(args);
    case 'node': {
      const [file = ''] = args.filter((arg) => !arg.startsWith('-'));
      return (file !== '' && existsSync(join(ROOT, file))) || page.some((each) => each.file === file)
        ? []
        : [`there is no ${file}`];
    }
    case 'docker':
      return composeProblems(args);
    default:
      return FOREIGN.includes(program) ? [] : [`${program} is no program that the tests know`];
  }
}

function npmProblems([command = '', ...args]: readonly string[]): readonly string[] {
  if (['install', 'i'].includes(command)) {
    const names = args
      .filter((arg) => !arg.startsWith('-') && arg !== PACKED)
      .map((arg) => arg.replace(/(?<=.)@.*$/, ''));
    return names.filter((name) => !PACKAGES.includes(name)).map((name) => `${name} is not among our packages`);
  }
  if (['init', 'ci', 'pack', 'pkg'].includes(command)) return [];
  const script = command === 'run' ? (args[0] ?? '') : command;
  if (MANIFEST.scripts[script] === undefined) return [`there is no script ${script}`];
  const given = args.includes('--') ? args.slice(args.indexOf('--') + 1) : [];
  if (script !== 'start' || given.length === 0) return [];
  try {
    readArguments(given);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** `compose run` and `compose exec` name a service, and then what runs there. */
function composeProblems([compose, ...args]: readonly string[]): readonly string[] {
  const file = join(ROOT, 'docker-compose.yml');
  if (compose !== 'compose' || !existsSync(file)) return ['there is no docker-compose.yml, or it is not asked for'];
  const [command = '', service = '', program, ...rest] = args.filter((arg) => !arg.startsWith('--'));
  if (!['run', 'exec'].includes(command)) return [];
  if (!new RegExp(`^  ${service}:$`, 'm').test(readFileSync(file, 'utf8'))) return [`there is no service ${service}`];
  return program === 'sendonce' ? cliProblems(rest) : [];
}

const HELP = new Map<string, string>();

/** Asks the built command for its help: of itself, then of the command that is named. */
function cliProblems(args: readonly string[]): readonly string[] {
  const bin = MANIFEST.bin?.['sendonce'];
  if (bin === undefined) return ['the package has no command sendonce'];
  const help = (path: readonly string[]): string => {
    const key = path.join(' ');
    const known = HELP.get(key) ?? execFileSync(NODE, [join(ROOT, bin), ...path, '--help'], { encoding: 'utf8' });
    HELP.set(key, known);
    return known;
  };
  const path: string[] = [];
  for (const word of args) {
    if (word.startsWith('-')) {
      if (!help(path).includes(word.split('=')[0] ?? '')) return [`sendonce ${path.join(' ')} has no ${word}`];
    } else if (new RegExp(`^  ${word}\\b`, 'm').test(help(path))) path.push(word);
    else if (path.length === 0) return [`sendonce has no command ${word}`];
  }
  return [];
}

const SOURCES = globSync('{src,scripts,test/support}/**/*.{ts,mjs}', { cwd: ROOT }).map((path) =>
  readFileSync(join(ROOT, path), 'utf8'),
);

/** Temporal's own settings are read by Temporal's own reader. */
function isRead(name: string, page: readonly CodeBlock[]): boolean {
  return (
    name.startsWith('TEMPORAL_') ||
    [...SOURCES, ...page.map(({ code, language }) => (language === 'ts' ? code : ''))].some((text) =>
      text.includes(name),
    )
  );
}
