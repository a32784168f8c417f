// Workflows of another release: a turn that does something else first.
const { sleep } = require('@temporalio/workflow');
const { agentTurn } = require('sendonce/workflows');

exports.agentTurn = async (input) => {
  await sleep('1 hour');
  return agentTurn(input);
};
