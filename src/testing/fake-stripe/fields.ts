import type { Form } from './form';
import { invalidRequest } from './refusal-error';

/**
 * Reads parameters out of a form. What nobody asked for is refused at the end by `refuseOthers`, so a misspelt
 * parameter never passes in silence.
 */
export class Fields {
  readonly #values: ReadonlyMap<string, string>;
  readonly #asked = new Set<string>();

  constructor(form: Form) {
    this.#values = new Map(form);
  }

  text(name: string): string | null {
    this.#asked.add(name);
    const value = this.#values.get(name);
    if (value === undefined) return null;
    if (value === '') {
      throw invalidRequest(`'${name}' was given as an empty string, which would unset it; it cannot be unset.`, {
        code: 'parameter_invalid_empty',
        param: name,
      });
    }
    return value;
  }

  oneOf<Value extends string>(name: string, allowed: readonly Value[]): Value | null {
    const value = this.text(name);
    if (value === null) return null;
    const found = allowed.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    throw invalidRequest(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
  }

  integer(name: string, min: number, max: number): number | null {
    const value = this.text(name);
    if (value === null) return null;
    const refusal = (message: string) => invalidRequest(message, { code: 'parameter_invalid_integer', param: name });
    const integer = Number(value);
    if (!/^-?\d+$/.test(value) || !Number.isSafeInteger(integer)) throw refusal(`Invalid integer: ${value}`);
    if (integer < min) throw refusal(`This value must be greater than or equal to ${min}.`);
    if (integer > max) throw refusal(`This value must be less than or equal to ${max}.`);
    return integer;
  }

  /** `name[a]=1&name[b]=2`; an empty value unsets its key, an empty `name` all of them. Keys hold no brackets. */
  map(name: string): Record<string, string> {
    const entries: [string, string][] = [];
    for (const [field, value] of this.#values) {
      const key = field === name ? null : innerName(name, field);
      if (field !== name && key === null) continue;
      this.#asked.add(field);
      if (key === null ? value !== '' : key === '' || /[[\]]/.test(key)) {
        throw invalidRequest(`Invalid object: ${field}`, { param: name });
      }
      if (key !== null && value !== '') entries.push([key, value]);
    }
    return Object.fromEntries(entries);
  }

  /** `name[]=a` or `name[0]=a&name[1]=b`. */
  list(name: string): string[] {
    const values: string[] = [];
    for (const [field, value] of this.#values) {
      const index = innerName(name, field);
      if (index === null || !/^\d*$/.test(index)) continue;
      this.#asked.add(field);
      values.push(value);
    }
    return values;
  }

  refuseOthers(): void {
    for (const name of this.#values.keys()) {
      if (this.#asked.has(name)) continue;
      throw invalidRequest(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    }
  }
}

function innerName(name: string, field: string): string | null {
  return field.startsWith(`${name}[`) && field.endsWith(']') ? field.slice(name.length + 1, -1) : null;
}
