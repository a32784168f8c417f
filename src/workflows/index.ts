export { type AgentTurnInput, type AgentTurnResult, agentTurn } from './agent-turn';
