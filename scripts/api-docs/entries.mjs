import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Node, Project, ts } from 'ts-morph';

/**
 * The package's entries, each with what it exports: `{ name, page, doc, members }`, a member being
 * `{ name, kind, doc, code, uses, source }`. In the order of package.json, members by name.
 */
export function readEntries(root) {
  // TypeScript 7 has no compiler API for JavaScript; ts-morph brings a TypeScript of its own, which only reads.
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    compilerOptions: {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      skipLibCheck: true,
      types: ['node'],
    },
  });
  const entries = Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports)
    .map(([path, target]) => ({ path, target: typeof target === 'string' ? target : (target.types ?? target.default) }))
    .filter(({ target }) => /\.(js|d\.ts)$/.test(target))
    .map(({ path, target }) => {
      const file = project.addSourceFileAtPath(join(root, target.replace(/(\.d\.ts|\.js)$/, '.d.ts')));
      return { path, file, exported: [...file.getExportedDeclarations()] };
    });
  const documented = new Set(entries.flatMap(({ exported }) => exported.flatMap(([, declarations]) => declarations)));
  return entries.map(({ path, file, exported }) => ({
    name: path.replace(/^\./, 'sendonce'),
    page: `${path === '.' ? 'sendonce' : path.slice(2).replaceAll('/', '-')}.md`,
    doc: entryDoc(root, file),
    members: exported
      .map(([name, declarations]) => memberOf(root, name, declarations, documented))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }));
}

/** The comment at the top of the entry's source; the compiler leaves it out of the declarations where nothing follows. */
function entryDoc(root, file) {
  const source = readFileSync(sourceOf(root, file), 'utf8');
  return plain(/^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1]?.replace(/^\s*\* ?/gm, '') ?? '');
}

function memberOf(root, name, declarations, documented) {
  const [first] = declarations;
  const statements = declarations.map(statementOf);
  const parts = partsOf(declarations, documented).map(statementOf);
  const used = [...statements, ...parts].flatMap(namesIn);
  return {
    name,
    kind: kindOf(first),
    doc: statements
      .flatMap((each) => each.getJsDocs?.() ?? [])
      .map((doc) => plain(doc.getInnerText()))
      .join('\n\n'),
    code: [...statements.map((each) => codeOf(each, false)), ...parts.map((each) => `\n${codeOf(each, true)}`)].join(
      '\n',
    ),
    uses: [...new Set(used)].filter((each) => each !== name),
    source: relative(root, sourceOf(root, first.getSourceFile())),
  };
}

/** What a declaration is made of and no entry exports by itself: the members of a union, a base, an options type. */
function partsOf(declarations, documented) {
  const parts = new Set();
  const visit = (declaration) => {
    for (const identifier of statementOf(declaration).getDescendantsOfKind(ts.SyntaxKind.Identifier)) {
      const symbol = identifier.getSymbol();
      const [part] = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
      const known = part === undefined || declarations.includes(part) || documented.has(part) || parts.has(part);
      if (known || !isOwnType(part)) continue;
      parts.add(part);
      visit(part);
    }
  };
  declarations.forEach(visit);
  return [...parts];
}

function isOwnType(declaration) {
  if (declaration.getSourceFile().isInNodeModules()) return false;
  const constant = Node.isVariableDeclaration(declaration);
  return (
    constant ||
    [Node.isInterfaceDeclaration, Node.isTypeAliasDeclaration, Node.isClassDeclaration].some((is) => is(declaration))
  );
}

function statementOf(declaration) {
  return Node.isVariableDeclaration(declaration) ? declaration.getVariableStatementOrThrow() : declaration;
}

function kindOf(declaration) {
  if (Node.isFunctionDeclaration(declaration) || Node.isVariableDeclaration(declaration)) return 'function';
  if (!Node.isClassDeclaration(declaration)) return 'type';
  return declaration.getName().endsWith('Error') ? 'error' : 'class';
}

/** As the compiler wrote it, docstrings of members included; without what concerns only the compiler. */
function codeOf(statement, withDoc) {
  return statement
    .getText(withDoc)
    .replace(/^(export )?(declare )?(?=(abstract )?(function|const|class|interface|type))/m, '')
    .replace(/^ {4}(#private|private .*);\n/gm, '')
    .replace(/^( {4})+/gm, (indent) => '  '.repeat(indent.length / 4));
}

function namesIn(statement) {
  return statement.getDescendantsOfKind(ts.SyntaxKind.Identifier).map((each) => each.getText());
}

function sourceOf(root, file) {
  const path = relative(join(root, 'dist'), file.getFilePath()).replace(/\.d\.ts$/, '.ts');
  const source = join(root, 'src', path);
  if (path.startsWith('..') || !existsSync(source)) throw new Error(`${file.getFilePath()} has no source in src.`);
  return source;
}

function plain(text) {
  return text.trim().replace(/\{@link (\S+?)\}/g, '`$1`');
}
