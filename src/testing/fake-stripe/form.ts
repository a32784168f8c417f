import { invalidRequest } from './refusal-error';

/** The fields of a form or query, in the order they came, decoded. */
export type Form = readonly (readonly [name: string, value: string])[];

/** Decodes `application/x-www-form-urlencoded` strictly: a broken escape or broken UTF-8 is refused and not repaired. */
export function decodeForm(text: string): Form {
  return text
    .split('&')
    .filter((field) => field !== '')
    .map((field) => {
      const at = field.indexOf('=');
      return at < 0 ? [decode(field), ''] : [decode(field.slice(0, at)), decode(field.slice(at + 1))];
    });
}

/** One text for the same parameters in any order. Fields of one name keep their order, since the last one counts. */
export function fingerprintOf(form: Form): string {
  const byName = new Map<string, string[]>();
  for (const [name, value] of form) byName.set(name, [...(byName.get(name) ?? []), value]);
  return JSON.stringify([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest(`The request is not well formed: '${text}' cannot be decoded.`);
  }
}
