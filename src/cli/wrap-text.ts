/**
 * Breaks a text at blanks into lines of at most this many characters, and a word that is longer than a line in itself.
 * Blanks that do not break (U+00A0) are part of their word.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/[^\S\u00A0]+/).flatMap((whole) => pieces(whole, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  const count = Math.max(1, Math.ceil(word.length / width));
  return Array.from({ length: count }, (_, index) => word.slice(index * width, (index + 1) * width));
}
