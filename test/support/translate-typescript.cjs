// For processes of their own that run the sources as they are: from here on `require` translates TypeScript as jest does,
// each file once, however often it is loaded.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

const translated = new Map();

require.extensions['.ts'] = (module, filename) => {
  if (!translated.has(filename)) {
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    translated.set(filename, code);
  }
  module._compile(translated.get(filename), filename);
};
