import { basename, join } from 'node:path';
import type { NamedHistory } from '../../src/replay/history';
import { historyFiles, readHistoryFile, saveHistory } from '../../src/replay/history-files';

export const RECORDED_FOLDER = join(__dirname, '../replay/histories');

export function readRecordedHistories(): NamedHistory[] {
  return historyFiles([RECORDED_FOLDER]).map((file) => ({ ...readHistoryFile(file), name: basename(file, '.json') }));
}

/** Writes a history for good: a file that is there already is kept, and the recording fails. */
export function recordHistory(named: NamedHistory): void {
  const { file, isNew } = saveHistory(RECORDED_FOLDER, named);
  if (!isNew) throw new Error(`${file} is there already: a recorded history is never written over.`);
}
