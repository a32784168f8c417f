/** A trace as it can be typed in: which scenario or mutant, and which of the possible moves was made each time. */
export interface Seed {
  readonly id: string;
  readonly path: readonly number[];
}

/** Seven bits of a move a byte: almost all are below 128. */
export function encodeSeed({ id, path }: Seed): string {
  const bytes = path.flatMap((move) => {
    const own = [move & 0x7f];
    for (let rest = move >>> 7; rest > 0; rest >>>= 7) own.unshift((rest & 0x7f) | 0x80);
    return own;
  });
  return `${id}@${Buffer.from(bytes).toString('base64url')}`;
}

/** Throws a RangeError where the text is no seed. */
export function decodeSeed(text: string): Seed {
  const [, id, code] = /^([^@]+)@([\w-]+)$/.exec(text) ?? [];
  if (id === undefined || code === undefined) throw new RangeError(`"${text}" is no seed: expected NAME@MOVES.`);
  const path: number[] = [];
  let move = 0;
  for (const byte of Buffer.from(code, 'base64url')) {
    move = (move << 7) | (byte & 0x7f);
    if (byte >= 0x80) continue;
    path.push(move);
    move = 0;
  }
  return { id, path };
}
