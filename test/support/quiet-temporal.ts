import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** Failing activities are the subject of these tests, and would fill the screen. A worker that fails fails its test. */
export function quietTemporal(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
}
