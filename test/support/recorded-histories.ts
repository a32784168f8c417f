import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { History } from './history';

const FOLDER = join(__dirname, '../replay/histories');

export interface RecordedFile {
  readonly name: string;
  readonly history: History;
}

export function readRecordedHistories(): RecordedFile[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      history: JSON.parse(readFileSync(join(FOLDER, file), 'utf8'), fromFile) as History,
    }));
}

/** Writes a history for good: a file that is there already is kept, and the recording fails. */
export function saveHistory(name: string, history: History): void {
  const text = JSON.stringify(forFile(history), null, 2);
  writeFileSync(join(FOLDER, `${name}.json`), `${text}\n`, { flag: 'wx' });
}

/**
 * The message's fields as they are, but for whole numbers and bytes. Temporal's own JSON is made and read by
 * `historyToJSON` and `historyFromJSON`, which throw ("type must be a Type") where npm installs protobufjs twice.
 */
function forFile(value: unknown, name = ''): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map((each) => forFile(each));
  if (typeof value === 'object' && value !== null) {
    if ('toNumber' in value && typeof value.toNumber === 'function') return value.toNumber();
    const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
    return Object.fromEntries(fields.map(([key, field]) => [key, forFile(field, key)]));
  }
  // Where it was recorded is nobody's business, and of no use in a replay.
  if (name === 'stackTrace') return '';
  // An identity, also as the name of a worker's own task queue: 123@host.
  return name === 'identity' || (typeof value === 'string' && /^\d+@/.test(value)) ? 'recorder' : value;
}

function fromFile(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'base64' in value;
  return isBytes ? Buffer.from(String(value.base64), 'base64') : value;
}
