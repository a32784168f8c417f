import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandError } from './command-error';

/**
 * What a user's file exports, CommonJS or ES module. TypeScript is taken where this Node takes it. Throws CommandError;
 * what the file itself throws is told with its place, as it is the user's code.
 */
export async function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`);
  try {
    const loaded = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    // What Node does not see of a CommonJS module's names is in its default.
    const whole = loaded['default'];
    return typeof whole === 'object' && whole !== null ? { ...whole, ...loaded } : loaded;
  } catch (error) {
    if (isUnreadTypeScript(error)) {
      throw new CommandError(
        `This Node (${process.versions.node}) cannot read ${path} as it is (${error.message}). Compile it to ` +
          'JavaScript and name that file, or use Node 22.18 or later, which takes TypeScript without enums and the like.',
      );
    }
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new CommandError(`${path} could not be loaded: ${told}`);
  }
}

const TYPESCRIPT_PROBLEMS = ['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'];

function isUnreadTypeScript(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && TYPESCRIPT_PROBLEMS.includes(String(error.code));
}
