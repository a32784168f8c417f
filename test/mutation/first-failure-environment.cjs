const { TestEnvironment } = require('jest-environment-node');

/** One failed test kills a mutant: the others are skipped. Jest's own `bail` only counts whole files. */
module.exports = class FirstFailureEnvironment extends TestEnvironment {
  #failed = false;

  async handleTestEvent(event) {
    if (event.name === 'test_fn_failure') this.#failed = true;
    if (event.name === 'test_start' && this.#failed) event.test.mode = 'skip';
  }
};
