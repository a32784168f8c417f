/** One answer of the API, before a fault does anything to it. The body is text so that a replay is the same bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A part of the API's JSON. */
export type JsonObject = { readonly [name: string]: unknown };

export function jsonAnswer(status: number, value: JsonObject): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: `${JSON.stringify(value, null, 2)}\n` };
}
