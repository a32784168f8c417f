// Workflows of another team: the turn is not among them.
exports.dunning = async () => 'reminded';
