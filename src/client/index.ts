/** The entry `sendonce/client`: for a service that starts turns and reads operations, and runs no worker. */
export { NameInvalidError } from '../conversations/names';
export { SessionTakenError } from '../conversations/sessions';
export { MessageInvalidError, RequestKeyConflictError, type TurnOutcome } from '../conversations/turns';
export {
  AsynchronousCommitError,
  DatabaseUnreachableError,
  SchemaMissingError,
  SchemaNewerError,
} from '../ledger/database-errors';
export { FilterInvalidError } from '../ledger/filter-invalid-error';
export type { OperationFilter, OperationPage, OperationSummary } from '../ledger/find-operations';
export type { OperationRef } from '../ledger/ledger';
export { PauseInvalidError } from '../ledger/pause-invalid-error';
export type { PauseEnd, PauseRecord, PauseSummary, ResumeEnd } from '../ledger/pauses';
export type { Looks } from '../ledger/read-looks';
export type { OperationDetail } from '../ledger/read-operation';
export { ResolutionRefusedError } from '../ledger/resolution-refused-error';
export { NamespaceMissingError } from '../namespace-missing-error';
export type { OperationEvent, PersonVerdict, Recorded, WaitsFor } from '../operations/event';
export type { Pause } from '../operations/pause';
export type { Reply, ReplyCode, RetryAction } from '../operations/reply';
export type { Signature } from '../operations/signature';
export type { State } from '../operations/state';
export { type Duration, days, hours, type Instant, milliseconds, minutes, seconds } from '../operations/time';
export { readSettings, SettingInvalidError, type Settings } from '../settings';
export { TemporalUnreachableError } from '../temporal-unreachable-error';
export type { OperationTool, ReadTool, Tool } from '../tools/tool';
export type { ReconciliationReport } from '../workflows';
export type { OperationCheck } from './check-operation';
export { ClientClosedError, TurnRecordLostError, TurnTimeoutError } from './client-errors';
export { type ClientOptions, connectClient, type SendonceClient } from './connect-client';
export type { OperationRedo, OperationResolution, Operations } from './operations';
export type { Pauses } from './pauses';
export type { Reconciliation } from './reconciliation';
export type { RedoEnd } from './redo-operation';
export { RedoRefusedError } from './redo-refused-error';
export type { SayOptions, Session, SessionOptions, StartOptions } from './session';
export type { ProgressOptions, TurnHandle, TurnReply, WaitOptions } from './turn-handle';
export type { AnsweredUpdate, CallUpdate, EndedUpdate, SaidUpdate, TurnUpdate } from './turn-update';
