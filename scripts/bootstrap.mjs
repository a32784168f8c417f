// The one door into a fresh clone: `node scripts/bootstrap.mjs start|clock|test|bench|model|faults|mutation [arguments]`.
// Installs and builds what is missing or out of date, then becomes the program. Needs Node and npm, no package. Everything
// said on the way goes to stderr: stdout belongs to the program, and may carry JSON.

const minimumNode = 20;

if (Number(process.versions.node.split('.')[0]) < minimumNode) {
  console.error(
    `sendonce: Node.js ${minimumNode} or later is needed, this is ${process.versions.node}: install Node.js 22.`,
  );
  process.exit(1);
}
// Imported only now: an older Node would stop at the syntax of the rest, and say so in its own words.
const { main } = await import('./bootstrap/main.mjs');
process.exitCode = await main(process.argv.slice(2));
