/** A loader of webpack: the source with the edits of its options. What an edit replaces must be there, and once. */
module.exports = function editSource(source) {
  return this.getOptions().edits.reduce((text, { from, to }) => {
    if (text.split(from).length !== 2) throw new Error(`${this.resourcePath} has this not once: ${from}`);
    return text.replace(from, () => to);
  }, source);
};
