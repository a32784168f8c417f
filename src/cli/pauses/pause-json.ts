import type { PauseRecord } from '../../ledger/pauses';
import { isoTime } from '../ops/operation-json';

/** For machines: the pause's fields by their names, its time as ISO 8601 in UTC. */
export function pauseJson<Record extends PauseRecord>(pause: Record): object {
  return { ...pause, since: isoTime(pause.since) };
}
