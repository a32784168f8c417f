const GAP = '  ';

/**
 * Columns side by side, each as wide as its widest cell. The last one is never cut, since people copy from it: in a row
 * that would be wider than the text it stands on a line of its own.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const all = [head, ...rows];
  const widths = head.map((_title, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => lineOf(row, widths, width)).join('\n');
}

function lineOf(row: readonly string[], widths: readonly number[], width: number): string {
  const last = row.at(-1) ?? '';
  const before = row
    .slice(0, -1)
    .map((cell, column) => cell.padEnd(widths[column] ?? 0) + GAP)
    .join('');
  return before.length + last.length <= width ? before + last : `${before.trimEnd()}\n${GAP}${last}`;
}
