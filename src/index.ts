/** The entry `sendonce`: define tools and providers, run a worker, migrate the database. */
export type { Escalation, OnEscalated } from './activities/announce';
export type { CallLimitOptions } from './activities/call-limits';
export type { ReconciliationOptions } from './activities/reconciliation-limits';
export { ActivityNameTakenError } from './activity-name-taken-error';
export type { FollowUpMessage } from './conversations/follow-ups';
export { type Database, type DatabaseOptions, openDatabase } from './ledger/database';
export {
  AsynchronousCommitError,
  DatabaseUnreachableError,
  SchemaMissingError,
  SchemaNewerError,
} from './ledger/database-errors';
export { checkSchema, migrate } from './ledger/migrate';
export { NamespaceMissingError } from './namespace-missing-error';
export type { Contract, KeyWindow, ProvenAbsence } from './operations/contract';
export type { EffectStatus, Evidence, FoundEffect } from './operations/evidence';
export { id, type OperationId } from './operations/operation-id';
export type { Outcome, Receipt } from './operations/outcome';
export { RefusedError } from './operations/refused-error';
export type { Reply, ReplyCode, RetryAction } from './operations/reply';
export type { StoredRequest } from './operations/request';
export type { State } from './operations/state';
export { type Duration, days, hours, type Instant, milliseconds, minutes, seconds } from './operations/time';
export { type PluginOptions, type SendoncePlugin, sendoncePlugin } from './plugin';
export type {
  EffectMark,
  EffectNews,
  EffectQuery,
  FindQuery,
  IncomingWebhook,
  Provider,
  SendDeadline,
  SendRequest,
  WebhookNews,
  WebhookReader,
} from './providers/provider';
export { readSettings, SettingInvalidError, type Settings, type TemporalSettings } from './settings';
export { TemporalUnreachableError } from './temporal-unreachable-error';
export type { Caller } from './tools/caller';
export { ToolNameTakenError } from './tools/catalogue';
export { OperationIdVolatileError } from './tools/check-operation-id-formula';
export { ProviderMissingError } from './tools/check-provider';
export { defineOperation, type OperationDefinition } from './tools/define-operation';
export { defineTool, type ToolDefinition } from './tools/define-tool';
export type { ToolScheduling } from './tools/scheduling';
export type { OperationTool, ReadTool, Tool } from './tools/tool';
export { QueueLimitsConflictError } from './tools/tool-queues';
export { type RunningWorker, type StartWorkerOptions, startWorker } from './worker';
export { WorkflowsPinnedError } from './workflows-pinned-error';
