import { basename, join } from 'node:path';
import type { NamedHistory } from '../../src/replay/history';
import { historyFiles, readHistoryFile, saveHistory } from '../../src/replay/history-files';

/** Of this release. */
export const { version: VERSION }: { readonly version: string } = require('../../package.json');

export const RECORDED_FOLDER = join(__dirname, '../replay/histories');

export function readRecordedHistories(): NamedHistory[] {
  return historyFiles([RECORDED_FOLDER]).map((file) => ({ ...readHistoryFile(file), name: basename(file, '.json') }));
}

/**
 * Writes a history for good, under the release that recorded it: a file that is there already is kept, and the recording
 * fails. Its digest is then added to histories.sha256.
 */
export function recordHistory({ name, history }: NamedHistory): void {
  const { file, isNew } = saveHistory(RECORDED_FOLDER, { name: `${name}-v${VERSION}`, history });
  if (!isNew) throw new Error(`${file} is there already: a recorded history is never written over.`);
}
