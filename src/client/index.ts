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
export { readSettings, SettingInvalidError, type Settings } from '../settings';
export { TemporalUnreachableError } from '../temporal-unreachable-error';
export {
  type ClientOptions,
  connectClient,
  type SayOptions,
  type SendonceClient,
  type Session,
  type SessionOptions,
  type TurnReply,
} from './connect-client';
