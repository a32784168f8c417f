import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next, WorkerOptions } from '@temporalio/worker';

export interface Execution {
  readonly attempt: number;
  /** Aborted when a cancellation has arrived. */
  readonly cancellation: AbortSignal;
  /** The activity itself. */
  run(): Promise<unknown>;
}

/** Stands around one execution of an activity. */
export type Around = (execution: Execution) => Promise<unknown>;

/**
 * Worker options that put `around` about every execution of one activity: Temporal's own hook, so that faults come in
 * from outside and the activity stays what it is.
 */
export function aroundActivity(type: string, around: Around): Partial<WorkerOptions> {
  return {
    interceptors: {
      activity: [
        ({ info, cancellationSignal: cancellation }) => {
          const inbound: ActivityInboundCallsInterceptor = {
            execute: (input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>) =>
              info.activityType === type
                ? around({ attempt: info.attempt, cancellation, run: () => next(input) })
                : next(input),
          };
          return { inbound };
        },
      ],
    },
  };
}
