// A team's own file of workflows, with the package's as they are.
module.exports = { ...require('sendonce/workflows'), dunning: async () => 'reminded' };
