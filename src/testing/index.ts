/** The entry `sendonce/testing`: parts for a team's own tests. Nothing here is meant for production. */
export type { FakeStripe, FakeStripeOptions } from './fake-stripe/fake-stripe';
export type { Fault } from './fake-stripe/fault';
export { startFakeStripe } from './fake-stripe/start-fake-stripe';
export { checkGoldenIds, type GoldenComparison, type GoldenVerdict } from './golden-ids/check-golden-ids';
export type { ComputedCase, GoldenCaller, GoldenCase } from './golden-ids/compute-case';
export { describeGoldenIds } from './golden-ids/describe-golden-ids';
export type { GoldenProblem } from './golden-ids/golden-problem';
export type { GoldenRow, GoldenTable, GoldenTie } from './golden-ids/golden-table';
export {
  GoldenIdsBrokenError,
  type GoldenIdsOptions,
  type GoldenReport,
  runGoldenIds,
} from './golden-ids/run-golden-ids';
export { InMemoryLedger } from './in-memory-ledger';
export { type Script, type ScriptedAnswer, type ScriptResult, type ScriptView, scriptedModel } from './scripted-model';
