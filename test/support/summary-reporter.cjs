const { writeSync } = require('node:fs');
const { basename } = require('node:path');

/**
 * Makes `N passed, N failed` the last line of a test run, with `, N skipped` where any were. It is printed when jest's
 * process ends, since jest itself still has things to say after its reporters are done. On stdout, as jest's own words
 * are on stderr (but with --json, where stdout belongs to the JSON).
 */
const run = { counts: null, stdout: true };

class SummaryReporter {
  constructor(globalConfig) {
    run.stdout = !globalConfig.json;
  }

  onRunComplete(_contexts, results) {
    // A file that does not compile, or fails outside of its tests, has no failed test to be counted.
    const brokenFiles = results.testResults.filter(
      (file) => file.numFailingTests === 0 && (file.testExecError || file.failureMessage),
    );
    const failed = results.numFailedTests + brokenFiles.length + (results.runExecError ? 1 : 0);
    run.counts = {
      passed: results.numPassedTests,
      failed,
      skipped: results.numPendingTests + results.numTodoTests,
    };
  }

  /** An error here is a failed run: without it, `-t` with a name that no test has would pass. */
  getLastError() {
    const { counts } = run;
    return counts !== null && counts.passed + counts.failed === 0 ? new Error('No test ran.') : undefined;
  }
}

function printSummary(exitCode) {
  // Not one test found, or the setup failed; but `jest --listTests` has nothing to sum up.
  if (run.counts === null && exitCode === 0) return;
  const { passed, failed, skipped } = run.counts ?? { passed: 0, failed: 0, skipped: 0 };
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
  try {
    writeSync(run.stdout ? 1 : 2, line);
  } catch {
    // Nobody reads it any more.
  }
}

// The configuration loads this file before there are any tests, and so does every tool that reads the configuration.
if (/^jest(\.js)?$/.test(basename(process.argv[1] ?? ''))) process.on('exit', printSummary);

module.exports = SummaryReporter;
