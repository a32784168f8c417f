const { createHash } = require('node:crypto');
const { readdirSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join, sep } = require('node:path');
const { expect } = require('expect');
const { bind } = require('jest-each');

require('../support/translate-typescript.cjs');

/**
 * Runs the tests of src/operations for Stryker, in one process and with the modules loaded once. Jest loads every module
 * and every test file again for each mutant, which is a hundred times the work of the tests themselves. They are plain
 * functions that need nothing of jest but `describe`, `test` and `expect`.
 *
 * Searches and properties take no part: they run thousands of cases a test, and would kill slowly what a test of a single
 * rule kills at once. Without them, a mutant is killed by a sentence that says what is wrong.
 */
const NOT_THESE = /^explorer|-properties\.test\.ts$/;

/** Stryker's side of the instrumented code: which mutant is active, and what a test has reached. */
globalThis.__stryker__ ??= {};
const stryker = globalThis.__stryker__;

class OperationsTestRunner {
  /** Of the sandbox: Stryker goes there after it has loaded this file. */
  #root = process.cwd();
  #folder = join(this.#root, 'test', 'operations');
  #tests = [];
  /** Of each file, a test to name where a mutant lets it not even load. */
  #firstOf = new Map();

  constructor() {
    globalThis.expect = expect;
    fewRuns();
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    const broken = this.#load();
    if (broken !== null) return { status: 'error', errorMessage: `${broken.file}: ${broken.error}` };
    const tests = [];
    for (const { id, file, body } of this.#tests) {
      stryker.currentTestId = id;
      const startedAt = performance.now();
      const failure = await failureOf(body);
      const status = failure === null ? 0 : 1;
      const timeSpentMs = performance.now() - startedAt;
      tests.push({
        id,
        name: id,
        fileName: join(this.#folder, file),
        status,
        timeSpentMs,
        failureMessage: failure ?? '',
      });
      stryker.currentTestId = undefined;
    }
    return { status: 'complete', tests, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment }) {
    stryker.hitLimit = hitLimit;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    try {
      if (this.#tests.length === 0) this.#load();
      stryker.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
      const broken = reloadEnvironment ? this.#load() : null;
      if (broken !== null) return killed(this.#firstOf.get(broken.file), broken.error, 0);
      stryker.activeMutant = activeMutant.id;
      return await this.#run(testFilter === undefined ? null : new Set(testFilter));
    } finally {
      stryker.activeMutant = undefined;
    }
  }

  /** One failed test kills a mutant. */
  async #run(wanted) {
    let count = 0;
    for (const { id, body } of this.#tests) {
      if (wanted !== null && !wanted.has(id)) continue;
      count += 1;
      const failure = await failureOf(body);
      if (stryker.hitCount > stryker.hitLimit) return { status: 'timeout', reason: 'A loop has no end.' };
      if (failure !== null) return killed(id, failure, count);
    }
    return { status: 'survived', nrOfTests: count };
  }

  #load() {
    const own = ['src', 'test'].map((name) => join(this.#root, name) + sep);
    for (const path of Object.keys(require.cache)) {
      if (own.some((prefix) => path.startsWith(prefix))) delete require.cache[path];
    }
    const files = readdirSync(this.#folder).sort();
    const shared = files.filter((file) => !file.endsWith('.test.ts'));
    this.#tests = [];
    for (const file of files.filter((name) => name.endsWith('.test.ts') && !NOT_THESE.test(name))) {
      const texts = [...shared, file].map((name) => readFileSync(join(this.#folder, name)));
      const titles = [`${file} ${hashOf(texts)}`];
      const define = (title, body) => {
        const id = [...titles, title].join(' ');
        this.#tests.push({ id, file, body });
        if (!this.#firstOf.has(file)) this.#firstOf.set(file, id);
      };
      const group = (title, body) => {
        titles.push(title);
        body();
        titles.pop();
      };
      globalThis.test = Object.assign(define, { each: bind(define, false) });
      globalThis.describe = Object.assign(group, { each: bind(group, false) });
      try {
        require(join(this.#folder, file));
      } catch (error) {
        return { file, error: String(error) };
      }
    }
    return null;
  }
}

async function failureOf(body) {
  try {
    await body();
    return null;
  } catch (error) {
    return String(error);
  }
}

function killed(id, failureMessage, nrOfTests) {
  return { status: 'killed', killedBy: [id], failureMessage, nrOfTests };
}

/** Stryker knows a test by its name: one whose text changed is another one, or its old result would be used again. */
function hashOf(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex').slice(0, 8);
}

/** Properties are tried a few times only, with values that are always the same. */
function fewRuns() {
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = (request, ...rest) =>
    request === 'fast-check' ? join(__dirname, 'few-runs.cjs') : resolveFilename(request, ...rest);
}

exports.strykerPlugins = [{ kind: 'TestRunner', name: 'operations', injectableClass: OperationsTestRunner }];
