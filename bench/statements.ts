import { Client } from 'pg';

/** How often each statement ran, by its name or by its verb and table; each is a round trip, and each write a commit. */
export interface Statements {
  readonly reads: number;
  readonly writes: number;
  readonly byName: Readonly<Record<string, number>>;
}

/** Counts what this process sends to Postgres while `run` runs: of one turn, with nothing else under way. */
export async function countStatements(run: () => Promise<void>): Promise<Statements> {
  const names: string[] = [];
  const { prototype } = Client;
  const original = prototype.query;
  // Every pool's query goes through its client's. Put back at once: nothing is timed while it is watched.
  prototype.query = function watched(this: Client, ...args: unknown[]) {
    names.push(nameOf(args[0]));
    return Reflect.apply(original, this, args);
  } as typeof original;
  try {
    await run();
  } finally {
    prototype.query = original;
  }
  const byName: Record<string, number> = {};
  for (const name of names) byName[name] = (byName[name] ?? 0) + 1;
  const reads = names.filter((name) => /load|read|select/.test(name)).length;
  return { reads, writes: names.length - reads, byName };
}

function nameOf(query: unknown): string {
  const { name, text } = typeof query === 'string' ? { name: undefined, text: query } : named(query);
  if (name !== undefined) return name;
  const [, verb, table] = /^\s*(select|insert|update)\b.*?\bsendonce"?\.(\w+)/s.exec(text) ?? [];
  return verb === undefined ? text.trim().slice(0, 40) : `${verb} ${table}`;
}

function named(query: unknown): { readonly name: string | undefined; readonly text: string } {
  const { name, text } = query as { name?: string; text?: string };
  return { name, text: text ?? '' };
}
