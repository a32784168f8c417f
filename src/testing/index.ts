/** The entry `sendonce/testing`: parts for a team's own tests. Nothing here is meant for production. */
export type { HistoryUnreadableError, SavedHistory } from '../replay/history-files';
export type { ReplayedHistory, ReplayOn } from '../replay/replay-histories';
export type { HistoriesMissingError, ServerHistories } from '../replay/server-histories';
export { checkOperation, describeOperation } from './conformance/check-operation';
export { checkProvider, describeProvider } from './conformance/check-provider';
export { ConformanceSetupError } from './conformance/conformance-setup-error';
export type {
  Downstream,
  DownstreamAddress,
  DownstreamEffect,
  DownstreamFault,
  DownstreamRequest,
  FaultScope,
  Treatment,
} from './conformance/downstream';
export { fakeStripeDownstream } from './conformance/fake-stripe-downstream';
export { type HttpDownstreamOptions, type HttpTarget, httpDownstream } from './conformance/http-downstream';
export type { AnyOperationCheck, OperationCheck } from './conformance/operation-check';
export type { OperationUnderTest, Told, ToolCall } from './conformance/operation-under-test';
export type { Finding } from './conformance/promise';
export type { MadeEffect, ProviderCheck } from './conformance/provider-check';
export type { FakeStripe, FakeStripeOptions } from './fake-stripe/fake-stripe';
export type { Fault } from './fake-stripe/fault';
export { startFakeStripe } from './fake-stripe/start-fake-stripe';
export {
  checkGoldenIds,
  expectGoldenIds,
  GoldenIdsBrokenError,
  type GoldenIdsChecked,
} from './golden-ids/check-golden-ids';
export { describeGoldenIds } from './golden-ids/describe-golden-ids';
export type { GoldenCaller, GoldenCase, GoldenIdsOptions, GoldenQuestion, GoldenRow } from './golden-ids/golden-case';
export { GoldenFileUnreadableError } from './golden-ids/golden-file';
export type { GoldenFinding, GoldenProblem } from './golden-ids/golden-finding';
export { InMemoryLedger } from './in-memory-ledger';
export { type DescribeReplayOptions, describeReplay } from './replay/describe-replay';
export {
  expectReplays,
  HistoriesBrokenError,
  type RecordOptions,
  type ReplayOptions,
  recordHistories,
  replayHistories,
} from './replay/replay-histories';
export { type Script, type ScriptedAnswer, type ScriptResult, type ScriptView, scriptedModel } from './scripted-model';
