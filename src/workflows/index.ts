/** The entry `sendonce/workflows`: the workflows themselves, to bundle or replay. Import it in workflow code only. */
export { type AgentSessionInput, agentSession } from './agent-session';
export { type AgentTurnInput, type AgentTurnResult, agentTurn } from './agent-turn';
export { type ReconciliationInput, type ReconciliationReport, reconciliation } from './reconciliation';
