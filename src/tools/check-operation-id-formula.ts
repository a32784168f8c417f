import { VOLATILE_FIELDS } from '../operations/intent';
import { ANY_PART, type OperationId } from '../operations/operation-id';

/** A formula for operation IDs gives one business intent two IDs: it would be carried out twice. The tool is not made. */
export class OperationIdVolatileError extends Error {
  readonly code = 'SENDONCE_OPERATION_ID_VOLATILE';
  override readonly name = 'OperationIdVolatileError';
  constructor(
    readonly tool: string,
    readonly field: string | null,
  ) {
    super(
      `The operation ID of ${tool} is computed from ${field === null ? 'a clock or a random value' : `the volatile field ${field}`}. ` +
        'Compute it from what the business calls the thing: an order and its line, a request the customer confirmed.',
    );
  }
}

/** A clock in milliseconds shows two times within this. */
const APART_MS = 3;

/**
 * Runs the formula on objects that have every field, to see what it reads and whether it gives the same again. A
 * formula that needs more of its objects than to be read from (a method's result, say) is judged as far as it came.
 * Throws OperationIdVolatileError.
 */
export function checkOperationIdFormula(tool: string, formula: (objects: never) => OperationId): void {
  const first = probe(formula);
  const field = [...first.read].find((name) => VOLATILE_FIELDS.includes(snakeCase(name)));
  if (field !== undefined) throw new OperationIdVolatileError(tool, field);
  if (first.id === null) return;
  const until = performance.now() + APART_MS;
  while (performance.now() < until);
  const second = probe(formula);
  if (second.id !== null && second.id !== first.id) throw new OperationIdVolatileError(tool, null);
}

interface Probe {
  /** Names of all fields that were read. */
  readonly read: ReadonlySet<string>;
  /** Null where the formula could not be carried through. */
  readonly id: string | null;
}

function probe(formula: (objects: never) => OperationId): Probe {
  const read = new Set<string>();
  try {
    return { read, id: String(formula(anything(read) as never)) };
  } catch {
    return { read, id: null };
  }
}

/** Has every field, is a function that gives the same, and reads as the text "1". */
function anything(read: Set<string>): unknown {
  const itself: unknown = new Proxy(() => undefined, {
    get: (_target, name) => {
      if (name === Symbol.toPrimitive) return () => '1';
      if (typeof name === 'symbol') return undefined;
      if (name === 'toString' || name === 'valueOf') return () => '1';
      read.add(name);
      return itself;
    },
    has: (_target, name) => name === ANY_PART,
    apply: () => itself,
  });
  return itself;
}

/** `requestTime` is the same field as `request_time`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
