const MESSAGE = /^(\w+)\s*(?:-{1,2}>>|-{1,2}x)\s*[+-]?(\w+): .+$/;
const NOTE = /^Note (?:over|left of|right of) (\w+)(?:,\s*(\w+))?: .+$/;
const OPENING = /^(?:alt|opt|loop|par|critical|rect) .+$/;

/**
 * What would keep a mermaid sequence diagram from being drawn, or would draw a participant that nobody introduced. Only the
 * forms that our pages use; the whole language needs a browser.
 */
export function sequenceDiagramProblems(code: string): readonly string[] {
  const [first = '', ...lines] = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (first !== 'sequenceDiagram') return [`begins with ${first}`];
  const participants = new Set<string>();
  const problems: string[] = [];
  let open = 0;
  for (const line of lines) {
    const introduced = /^(?:participant|actor) (\w+)(?: as .+)?$/.exec(line)?.[1];
    if (introduced !== undefined) participants.add(introduced);
    else if (OPENING.test(line)) open++;
    else if (line === 'end') open--;
    else if (!/^(?:else|and) .+$/.test(line)) problems.push(...messageProblems(line, participants));
    // Both end a line or a word for mermaid, wherever they stand.
    if (/[;#]/.test(line)) problems.push(`${line}: has ; or #`);
    if (open < 0) problems.push(`${line}: ends what was not opened`);
  }
  return open > 0 ? [...problems, `${open} blocks are not ended`] : problems;
}

function messageProblems(line: string, participants: ReadonlySet<string>): readonly string[] {
  const named = MESSAGE.exec(line) ?? NOTE.exec(line);
  if (named === null) return [`${line}: is no message and no note`];
  return named
    .slice(1)
    .filter((name) => name !== undefined && !participants.has(name))
    .map((name) => `${line}: nobody introduced ${name}`);
}
