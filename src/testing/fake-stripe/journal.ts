import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Fact } from './fact';

/** A line in the middle cannot be read: the file was changed by something else, or is no journal. */
export class JournalDamagedError extends Error {
  readonly code = 'FAKE_STRIPE_JOURNAL_DAMAGED';
  override readonly name = 'JournalDamagedError';
}

/** Nothing can be kept any more: an earlier write failed, or the fake was closed. */
export class JournalEndedError extends Error {
  readonly code = 'FAKE_STRIPE_JOURNAL_ENDED';
  override readonly name = 'JournalEndedError';
}

/**
 * The append-only file behind the fake's data: one line of JSON a commit. A line is written before its facts are true
 * for anybody, so what was answered survives `kill -9`. It is not flushed to the disk: a power cut is out of scope.
 */
export class Journal {
  readonly #file: number;
  #end: 'broken' | 'closed' | null = null;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens or creates the file. Commits are read back in their order; a torn last line never happened, and is cut off. */
  static open(path: string): { journal: Journal; commits: Fact[][] } {
    const file = openSync(path, 'a+');
    try {
      const bytes = readFileSync(file);
      const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
      const commits = readCommits(path, whole.toString('utf8'));
      // Otherwise the next line would be glued to the torn one and both would be lost.
      if (whole.length < bytes.length) ftruncateSync(file, whole.length);
      return { journal: new Journal(file), commits };
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  append(facts: readonly Fact[]): void {
    // Its number may be another file's by now, or half a line may stand at its end.
    if (this.#end !== null) throw new JournalEndedError(`The journal of the fake Stripe is ${this.#end}.`);
    const line = Buffer.from(`${JSON.stringify(facts)}\n`);
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written);
    } catch (error) {
      this.#end = 'broken';
      throw error;
    }
  }

  close(): void {
    if (this.#end === 'closed') return;
    this.#end = 'closed';
    closeSync(this.#file);
  }
}

function readCommits(path: string, text: string): Fact[][] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const facts = parse(line);
      if (Array.isArray(facts)) return facts as Fact[];
      throw new JournalDamagedError(`Line ${index + 1} of ${path} is not a commit of the fake Stripe.`);
    });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
