import { basename } from 'node:path';

/** Says on stderr how far the run is and who survives; the sum is the caller's. */
class ProgressReporter {
  #started = Date.now();
  #said = 0;
  #total = 0;
  #tested = 0;
  #survived = 0;

  onDryRunCompleted({ result }) {
    say(`${result.tests.length} tests pass without a mutant (${this.#seconds()} s)`);
  }

  onMutationTestingPlanReady({ mutantPlans }) {
    this.#total = mutantPlans.length;
    const run = mutantPlans.filter(({ plan }) => plan === 'Run').length;
    say(`${this.#total} mutants, ${run} of them to be tested; of the others the last run's result still holds`);
  }

  onMutantTested({ fileName, location, status, replacement, mutatorName }) {
    this.#tested += 1;
    if (status === 'Survived' || status === 'NoCoverage') {
      this.#survived += 1;
      say(
        `${status}: ${basename(fileName)}:${location.start.line}:${location.start.column} ${mutatorName}: ${replacement}`,
      );
    }
    if (Date.now() - this.#said < 10_000) return;
    this.#said = Date.now();
    say(`${this.#tested} of ${this.#total} tested, ${this.#survived} survived (${this.#seconds()} s)`);
  }

  #seconds() {
    return Math.round((Date.now() - this.#started) / 1_000);
  }
}

function say(text) {
  process.stderr.write(`mutation: ${text}\n`);
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'progress-lines', injectableClass: ProgressReporter }];
