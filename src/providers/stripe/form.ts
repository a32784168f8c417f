/**
 * `application/x-www-form-urlencoded` as the SDK writes it (brackets stay readable, `utils.js` of stripe 23), so that
 * what an authenticator is shown and what leaves are the same text.
 */
export function encodeForm(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** The fields of a form, or null if a name stands twice: nobody could say then which value counts. */
export function decodeForm(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return null;
    fields.set(name, value);
  }
  return fields;
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%5B/g, '[')
    .replace(/%5D/g, ']');
}
