/**
 * Why a history does not replay, in words. The details come from Temporal's core, which prints a workflow's failure as
 * its own code sees it (`Failure { message: "…", stack_trace: "…\n…" }`); what was said is the message in it.
 */
export function problemText({ message: whole }: Error): string {
  const [, summary, quoted] = /^(.*?)Details: .*?\bFailure \{ message: "((?:[^"\\]|\\.)*)"/s.exec(whole) ?? [];
  if (summary === undefined || quoted === undefined) return whole;
  const said = unescaped(quoted);
  const absent = /workflow of type '(.+)': no such function/.exec(said)?.[1];
  if (absent === undefined) return `${summary}${said}`;
  return `There is no workflow ${absent} in these workflows. Name the file that has it with --workflows.`;
}

/** As Rust writes characters in quotes. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u\{([0-9a-f]+)\}|(.))/g, (_all, code: string | undefined, character: string) => {
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return { n: '\n', r: '\r', t: '\t', '0': '\0' }[character] ?? character;
  });
}
