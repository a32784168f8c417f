import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/** Below it, the run fails. */
const LEAST_SCORE = 95;

const { values } = parseArgs({
  options: {
    /** Only these files, separated by commas. */
    mutate: { type: 'string' },
    /** Every mutant again, whatever the last run found. */
    force: { type: 'boolean', default: false },
  },
});

const results = await new Stryker({
  configFile: relative(process.cwd(), fileURLToPath(new URL('stryker.config.cjs', import.meta.url))),
  ...(values.mutate === undefined ? {} : { mutate: values.mutate.split(',') }),
  force: values.force,
}).runMutationTest();

const tables = new Map();
for (const result of results) {
  const file = basename(result.fileName);
  tables.set(file, [...(tables.get(file) ?? []), result]);
}

/** A mutant that runs for ever was noticed. One that cannot run, or was left out with a reason, counts for nothing. */
function sumOf(mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const survived = count('Survived', 'NoCoverage');
  const total = killed + survived;
  // Rounded down: 95 must not be what 94.96 looks like.
  const score = total === 0 ? 100 : Math.floor((1_000 * killed) / total) / 10;
  return { total, killed, survived, left: mutants.length - total, score };
}

console.log('| file | mutants | killed | survived | left out | score |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const [file, mutants] of [...tables].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const { total, killed, survived, left, score } = sumOf(mutants);
  console.log(`| ${file} | ${total} | ${killed} | ${survived} | ${left} | ${score} % |`);
}
for (const { status, fileName, location, mutatorName, replacement } of results) {
  if (status !== 'Survived' && status !== 'NoCoverage') continue;
  const { line, column } = location.start;
  console.log(`survived: ${basename(fileName)}:${line}:${column} ${mutatorName} -> ${replacement}`);
}
const endless = results.filter(({ status }) => status === 'Timeout').length;
console.log(`Of the killed, ${endless} never came to an end.`);
const { total, killed, survived, score } = sumOf(results);
console.log(`mutation: ${total} mutants, ${killed} killed, ${survived} survived, score ${score} %`);
process.exitCode = score < LEAST_SCORE ? 1 : 0;
