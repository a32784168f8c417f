/** What was given to the fake's control is not usable. The message says which part and why. */
export class ControlInputError extends Error {
  readonly code = 'FAKE_STRIPE_CONTROL_INPUT';
  override readonly name = 'ControlInputError';
}

/** Reads an object of unsure origin, member by member; what nobody asked for is refused by `refuseOthers`. */
export class InputShape {
  readonly value: Readonly<Record<string, unknown>>;
  readonly #subject: string;
  readonly #asked = new Set<string>();

  constructor(subject: string, value: unknown) {
    this.#subject = subject;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.#error('must be an object');
    this.value = { ...value };
  }

  has(name: string): boolean {
    return this.#read(name) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#read(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#error(`${name} must be a text`);
  }

  oneOf<Value extends string>(name: string, allowed: readonly Value[]): Value | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw this.#error(`${name} must be one of ${allowed.join(', ')}`);
    return found;
  }

  flag(name: string): boolean | undefined {
    const value = this.#read(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#error(`${name} must be true or false`);
  }

  integer(name: string, min: number): number | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
    throw this.#error(`${name} must be a whole number of at least ${min}`);
  }

  texts(name: string): Record<string, string> | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const entries = Object.entries(value);
      if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
        return Object.fromEntries(entries);
      }
    }
    throw this.#error(`${name} must be an object of texts`);
  }

  missing(name: string): never {
    throw this.#error(`${name} is missing`);
  }

  fail(why: string): never {
    throw this.#error(why);
  }

  refuseOthers(): void {
    const other = Object.keys(this.value).find((name) => !this.#asked.has(name));
    if (other !== undefined) throw this.#error(`${other} is not known`);
  }

  #read(name: string): unknown {
    this.#asked.add(name);
    return Object.hasOwn(this.value, name) ? this.value[name] : undefined;
  }

  #error(why: string): ControlInputError {
    return new ControlInputError(`Bad ${this.#subject}: ${why}.`);
  }
}
