const LONGEST = 300;

/**
 * An error in one phrase: its code, its system call and its message, and those it holds (two addresses that both refuse
 * give one `AggregateError`, docs/providers/stripe.md). Node's transport errors hold addresses and header names, no header values.
 */
export function describeError(error: unknown): string {
  const text = phrase(error)
    .replace(/\s+/g, ' ')
    .replace(/[.\s]+$/, '');
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

function phrase(error: unknown): string {
  // By its fields and not by its class: an error may come from another realm.
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, code, syscall, errors } = error as Partial<NodeJS.ErrnoException & AggregateError>;
  if (Array.isArray(errors) && errors.length > 0) return errors.map(phrase).join(' and ');
  const text = message || name || 'an error without a message';
  const known = [code, syscall].filter((part) => typeof part === 'string' && !text.includes(part));
  return known.length === 0 ? text : `${text}, ${known.join(' ')}`;
}
