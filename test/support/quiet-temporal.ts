import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

let isQuiet = false;

/** Failing activities are the subject of these tests, and would fill the screen. A worker that fails fails its test. */
export function quietTemporal(): void {
  // Once a test file: Temporal takes no second one.
  if (isQuiet) return;
  isQuiet = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
}
