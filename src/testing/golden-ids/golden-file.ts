import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { factsOf } from '../../facts-of';
import type { GoldenRow } from './golden-case';
import { firstTwice } from './row-key';

/** A table of golden IDs as its file has it. */
export interface GoldenTable {
  readonly tool: string;
  readonly rows: readonly GoldenRow[];
}

/** A file is no table of golden IDs. It does not mean that an ID changed: nothing was compared, and nothing written. */
export class GoldenFileUnreadableError extends Error {
  readonly code = 'SENDONCE_GOLDEN_FILE_UNREADABLE';
  override readonly name = 'GoldenFileUnreadableError';
  constructor(
    readonly file: string,
    problem: string,
    override readonly cause?: unknown,
  ) {
    super(
      `${file} cannot be read as a table of golden IDs: ${problem}. Nothing was compared, and the file is left as it is. ` +
        'Take it back from version control; a new one would make whatever the tool gives now the truth.',
      { cause },
    );
  }
}

const ROW = z.strictObject({
  input: z.json(),
  tenant: z.string(),
  customer: z.string(),
  sessionId: z.string().optional(),
  operationId: z.string(),
  intent: z.json(),
});

const TABLE = z.strictObject({ tool: z.string(), rows: z.array(ROW) });

/** Null where there is no such file. Throws GoldenFileUnreadableError. */
export function readGoldenFile(file: string): GoldenTable | null {
  const text = textOf(file);
  if (text === null) return null;
  const parsed = TABLE.safeParse(jsonOf(file, text));
  if (!parsed.success) throw new GoldenFileUnreadableError(file, z.prettifyError(parsed.error), parsed.error);
  const rows = parsed.data.rows.map(({ sessionId, ...row }) => ({ ...row, ...(sessionId ? { sessionId } : {}) }));
  const twice = firstTwice(rows);
  if (twice) throw new GoldenFileUnreadableError(file, `it has two rows for ${JSON.stringify(twice.input)}`);
  return { tool: parsed.data.tool, rows };
}

/** Rows that were there stay as they are and where they are, so that a review sees what is new and no more. */
export function writeGoldenFile(file: string, table: GoldenTable): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = factsOf(error);
    if (code === 'ENOENT') return null;
    throw new GoldenFileUnreadableError(file, message ?? String(error), error);
  }
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GoldenFileUnreadableError(file, factsOf(error).message ?? String(error), error);
  }
}
