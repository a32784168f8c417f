import { constants } from 'node:os';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/**
 * One Ctrl-C can arrive several times: from the terminal, which sends it to the whole process group, and from npm, which
 * passes it on. What comes this soon after the first is its echo; what comes later is a person who will not wait.
 */
const echoMs = 1_000;

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP, and ends the process when it has stopped, with the exit code of
 * that signal. A later signal ends it at once. Returns how to take the handlers away again.
 */
export function onStopSignal(stop: (signal: StopSignal) => Promise<void>): () => void {
  let firstAt: number | undefined;
  const handle = (signal: StopSignal) => {
    const end = () => process.exit(128 + constants.signals[signal]);
    if (firstAt === undefined) {
      firstAt = Date.now();
      void stop(signal).then(end, (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        end();
      });
    } else if (Date.now() - firstAt > echoMs) {
      end();
    }
  };
  for (const signal of stopSignals) process.on(signal, handle);
  return () => {
    for (const signal of stopSignals) process.off(signal, handle);
  };
}
