/** A violation's way: where it was found, and the place of each move among those that were possible. */
export interface Seed {
  readonly name: string;
  readonly path: readonly number[];
}

/** One word for the shell. */
export function seedText({ name, path }: Seed): string {
  return `${name.replaceAll(' ', '_')}@${path.map((index) => index.toString(36)).join('.')}`;
}

/** Null where it is none. */
export function readSeed(text: string): Seed | null {
  const [, name, path] = /^(.+)@((?:[0-9a-z]+(?:\.[0-9a-z]+)*)?)$/.exec(text) ?? [];
  if (name === undefined || path === undefined) return null;
  return {
    name: name.replaceAll('_', ' '),
    path: path === '' ? [] : path.split('.').map((index) => Number.parseInt(index, 36)),
  };
}
