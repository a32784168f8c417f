import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';

export const ROOT = join(__dirname, '../..');

/** A fenced block. Comments right above it say how the tests take it; readers do not see them. */
export interface CodeBlock {
  /** Relative to the repository, as `docs/client.md`. */
  readonly page: string;
  /** Of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The name after the language (```` ```ts tools.ts ````): blocks of one page with names are one project. */
  readonly file: string | null;
  readonly code: string;
  /** `<!-- given: … -->` for this block, or `<!-- given below: … -->` for the page: TypeScript that the reader has. */
  readonly given: string;
  /** `<!-- not run: … -->`: why the block is neither compiled nor run. */
  readonly notRun: string | null;
}

export interface MarkdownLink {
  readonly page: string;
  readonly text: string;
  readonly target: string;
  /** What is shown when the pointer rests on it. */
  readonly title: string | null;
}

export interface MarkdownTable {
  readonly page: string;
  /** The nearest heading above it. */
  readonly heading: string;
  /** The links of each row, and the row's first cell. */
  readonly rows: readonly {
    readonly first: string;
    readonly cells: readonly string[];
    readonly links: readonly MarkdownLink[];
  }[];
}

export interface MarkdownPage {
  readonly page: string;
  readonly blocks: readonly CodeBlock[];
  readonly links: readonly MarkdownLink[];
  readonly tables: readonly MarkdownTable[];
  /** What a link into the page may name. */
  readonly anchors: ReadonlySet<string>;
}

/** Every Markdown page that a reader of the repository meets. */
export function markdownPages(): readonly MarkdownPage[] {
  return globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map(readPage);
}

function readPage(page: string): MarkdownPage {
  const source = readFileSync(join(ROOT, page), 'utf8');
  const reading = new Reading(page, source);
  reading.read(lexer(source));
  return reading;
}

class Reading implements MarkdownPage {
  readonly blocks: CodeBlock[] = [];
  readonly links: MarkdownLink[] = [];
  readonly tables: MarkdownTable[] = [];
  readonly anchors = new Set<string>();
  readonly page: string;
  readonly #source: string;
  #searchedTo = 0;
  #heading = '';
  #givenBelow = '';

  constructor(page: string, source: string) {
    this.page = page;
    this.#source = source;
  }

  /** Tokens that stand beside each other; a comment counts for the block that follows it. */
  read(tokens: readonly Token[]): void {
    let comments = '';
    for (const token of tokens) {
      if (token.type === 'html') comments += token.raw;
      if (token.type === 'code') this.#block(token.raw, token.lang ?? '', token.text, comments);
      if (token.type === 'heading') this.#anchor(token.text);
      if (token.type === 'link') this.links.push(this.#link(token as Tokens.Link));
      if (token.type === 'table') this.#table(token as Tokens.Table);
      if (token.type !== 'html' && token.type !== 'space') comments = '';
      for (const below of nested(token)) this.read(below);
    }
  }

  #block(raw: string, info: string, code: string, comments: string): void {
    const at = this.#source.indexOf(raw.trimEnd(), this.#searchedTo);
    this.#searchedTo = Math.max(at, this.#searchedTo) + 1;
    this.#givenBelow += commentIn(comments, 'given below') ?? '';
    const [language = '', file = null] = info.split(/\s+/);
    this.blocks.push({
      page: this.page,
      line: this.#source.slice(0, at).split('\n').length,
      language,
      file,
      code,
      given: commentIn(comments, 'given') ?? this.#givenBelow,
      notRun: commentIn(comments, 'not run'),
    });
  }

  /** As the web host makes them: lower case, blanks to hyphens, no punctuation, a number on repeated ones. */
  #anchor(heading: string): void {
    this.#heading = heading;
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = plain;
    for (let count = 1; this.anchors.has(anchor); count++) anchor = `${plain}-${count}`;
    this.anchors.add(anchor);
  }

  #link({ text, href, title }: Tokens.Link): MarkdownLink {
    return { page: this.page, text, target: href, title: title ?? null };
  }

  #table(token: Tokens.Table): void {
    const rows = token.rows.map((cells) => ({
      first: cells[0]?.text ?? '',
      cells: cells.map(({ text }) => text),
      links: cells.flatMap(({ tokens }) => linksIn(tokens).map((link) => this.#link(link))),
    }));
    this.tables.push({ page: this.page, heading: this.#heading, rows });
  }
}

function commentIn(comments: string, name: string): string | null {
  return new RegExp(`<!-- ${name}:([\\s\\S]*?)-->`).exec(comments)?.[1]?.trim() ?? null;
}

/** Lists of tokens inside of a token: its own, its list's items, its table's cells. */
function nested(token: Token): readonly (readonly Token[])[] {
  const { tokens, items, header, rows } = token as Token & {
    tokens?: Token[];
    items?: { tokens: Token[] }[];
    header?: { tokens: Token[] }[];
    rows?: { tokens: Token[] }[][];
  };
  const parts = [...(items ?? []), ...(header ?? []), ...(rows ?? []).flat()];
  return [...(tokens ? [tokens] : []), ...parts.map((part) => part.tokens)];
}

function linksIn(tokens: readonly Token[]): Tokens.Link[] {
  return tokens.flatMap((token) => [
    ...(token.type === 'link' ? [token as Tokens.Link] : []),
    ...nested(token).flatMap(linksIn),
  ]);
}

/** A relative target as a path of the repository, and the anchor after it. */
export function resolveLink({ page, target }: MarkdownLink): { readonly path: string; readonly anchor: string | null } {
  const [path = '', anchor = null] = target.split('#');
  return { path: path === '' ? page : join(dirname(page), decodeURIComponent(path)), anchor };
}
