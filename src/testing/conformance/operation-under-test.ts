/**
 * A tool as the kit sees it, whatever it is built on: it can be called, and asked what it has on record. One object is
 * one process of it: everything that shall outlive the process is kept elsewhere, as in production.
 */
export interface OperationUnderTest {
  /** One call, as the model makes it. What it throws is taken for a failure that the model is told of. */
  call(call: ToolCall): Promise<Told>;
  /**
   * How many sends for what this call wants are on record now, in whatever place would survive the death of the process.
   * Asked, among others, in the moment in which a request arrives.
   */
  recorded(call: ToolCall): number | Promise<number>;
}

/** One call of the tool. */
export interface ToolCall {
  /** The model's arguments. */
  readonly input: unknown;
  readonly tenant: string;
  readonly customer: string;
  readonly sessionId: string;
  /** New for each call, and the same when a call is repeated. */
  readonly callId: string;
}

/** What a call tells the model, boiled down to what it says of the effect. */
export interface Told {
  /**
   * - `done`: the effect exists.
   * - `open`: it may exist, or come to exist; somebody finds out.
   * - `not-done`: there certainly is none, and none comes of this call. Every plain error says that to a model.
   * - `refused`: this call is refused (bad input, other content), and says nothing of an effect.
   */
  readonly says: 'done' | 'open' | 'not-done' | 'refused';
  /** What the model reads. */
  readonly text: string;
  /** The downstream's number, where it is told. */
  readonly externalId?: string | null;
}
