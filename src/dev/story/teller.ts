import { styleText } from 'node:util';
import { wrapText } from '../../cli/wrap-text';

/** Who a line of the story is about. */
export type Actor = 'customer' | 'agent' | 'tool' | 'ledger' | 'provider' | 'worker' | 'shop' | 'person' | 'clock';

const COLOURS = {
  customer: 'cyan',
  agent: 'green',
  tool: 'yellow',
  ledger: 'blue',
  provider: 'magenta',
  worker: 'red',
  shop: 'white',
  person: 'whiteBright',
  clock: 'gray',
} as const satisfies Record<Actor, string>;

const TIME_WIDTH = 8;
const ACTOR_WIDTH = 10;
const INDENT = TIME_WIDTH + ACTOR_WIDTH;
/** Where the output is no terminal, lines are as long as a README shows them. */
const COLUMNS_WITHOUT_TERMINAL = 100;
const NARROWEST = 60;

/** Writes the story: one actor's words a line, wrapped under each other. Colours only on a terminal that wants them. */
export class Teller {
  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** A line of the story; `afterMs` counts from its beginning. */
  say(afterMs: number, actor: Actor, text: string): void {
    const time = `${(afterMs / 1_000).toFixed(2)} s`.padStart(TIME_WIDTH - 1);
    const [first = '', ...rest] = wrapText(text, this.#columns() - INDENT);
    this.#write(`${this.#style('dim', time)} ${this.#style(COLOURS[actor], actor.padEnd(ACTOR_WIDTH))}${first}`);
    for (const line of rest) this.#write(`${' '.repeat(INDENT)}${line}`);
  }

  heading(text: string): void {
    this.#write('');
    for (const line of wrapText(text, this.#columns())) this.#write(this.#style('bold', line));
  }

  /** A line under a heading. Wrapped, unless it must stay whole (an address). */
  detail(text: string, whole = false): void {
    for (const line of whole ? [text] : wrapText(text, this.#columns() - 4)) this.#write(`  ${line}`);
  }

  /** A line of a list: what stands first, and what is told of it, wrapped under itself. */
  entry(first: string, text: string): void {
    const indent = 2 + first.length + 2;
    wrapText(text, this.#columns() - indent).forEach((line, index) => {
      this.#write(index === 0 ? `  ${first}  ${line}` : `${' '.repeat(indent)}${line}`);
    });
  }

  note(text: string): void {
    for (const line of wrapText(text, this.#columns())) this.#write(this.#style('dim', line));
  }

  #columns(): number {
    return Math.max(this.#stream.columns ?? COLUMNS_WITHOUT_TERMINAL, NARROWEST);
  }

  #style(style: Parameters<typeof styleText>[0], text: string): string {
    return styleText(style, text, { stream: this.#stream });
  }

  #write(line: string): void {
    this.#stream.write(`${line.trimEnd()}\n`);
  }
}
