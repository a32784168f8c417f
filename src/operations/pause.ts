/** A tool or a provider that sends nothing until a person resumes it. Queries go on. */
export interface Pause {
  readonly kind: 'tool' | 'provider';
  readonly name: string;
}

/** Whether anything may be sent for this tool now. */
export function isPaused(pauses: readonly Pause[], { tool, provider }: { tool: string; provider: string }): boolean {
  return pauses.some(({ kind, name }) => name === (kind === 'tool' ? tool : provider));
}
