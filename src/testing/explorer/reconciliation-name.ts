const PREFIX = 'reconciliation/';

/** An execution of reconciliation: its call ID first, then what it found out about its operation before it began. */
export function reconciliationName(number: number, generation: number, session: string): string {
  return `${PREFIX}${number} of generation ${generation} for ${session}`;
}

export function isReconciliation(call: string): boolean {
  return call.startsWith(PREFIX);
}

export function reconciliationOf(call: string): { callId: string; generation: number; sessionId: string } {
  const [, callId = '', generation = '', sessionId = ''] = /^(\S+) of generation (\d+) for (.*)$/.exec(call) ?? [];
  return { callId, generation: Number(generation), sessionId };
}
