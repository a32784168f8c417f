import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { factsOf } from '../facts-of';
import type { NamedHistory } from './history';
import { historyJson, readHistory } from './history-json';

/** A file cannot be read as the history of a workflow. It does not mean that the workflow has none. */
export class HistoryUnreadableError extends Error {
  readonly code = 'SENDONCE_HISTORY_UNREADABLE';
  override readonly name = 'HistoryUnreadableError';
  constructor(
    readonly file: string,
    override readonly cause: unknown,
  ) {
    super(
      `${file} cannot be read as the history of a workflow: ${factsOf(cause).message ?? String(cause)}. ` +
        'Make one with: sendonce replay --workflow-id ID --save FOLDER',
      { cause },
    );
  }
}

/** The paths as they are, and of a folder its `.json` files in the order of their names. Throws HistoryUnreadableError. */
export function historyFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!isFolder(path)) return [path];
    const files = readdirSync(path)
      .filter((file) => file.endsWith('.json'))
      .sort();
    // Or a mistyped folder passes for a release that is fine.
    if (files.length === 0) throw new HistoryUnreadableError(path, new Error('it is a folder without .json files'));
    return files.map((file) => join(path, file));
  });
}

/** Throws HistoryUnreadableError. */
export function readHistoryFile(file: string): NamedHistory {
  try {
    return { name: file, history: readHistory(readFileSync(file, 'utf8')) };
  } catch (error) {
    throw new HistoryUnreadableError(file, error);
  }
}

/** The file, and whether it was written: one that is there already is never written over. */
export interface SavedHistory {
  readonly file: string;
  readonly isNew: boolean;
}

/**
 * Writes a history to `folder/name.json`, as Temporal's command line would, without identities and stack traces. What is
 * no letter, digit, `.`, `_` or `-` in the name becomes `_`.
 */
export function saveHistory(folder: string, { name, history }: NamedHistory): SavedHistory {
  const file = join(folder, `${basename(name.replaceAll(/[^\w.-]/g, '_'))}.json`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, historyJson(history), { flag: 'wx' });
    return { file, isNew: true };
  } catch (error) {
    if (factsOf(error).code === 'EEXIST') return { file, isNew: false };
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
