import { validateHeaderName, validateHeaderValue } from 'node:http';
import { FAULT_ROUTES, type Fault } from './fault';
import { InputShape } from './input-shape';

const KINDS = [
  'drop-request',
  'drop-answer',
  'hold-request',
  'hold-execution',
  'hold-answer',
  'slow-answer',
  'server-error',
  'status',
  'cut-body',
] as const;
const HANGUPS = ['close', 'reset'] as const;

/** Checks what was asked for, in process or over HTTP: a fault that silently does nothing would make a proof hollow. */
export function parseFault(value: unknown): Fault {
  const shape = new InputShape('fault', value);
  const kind = shape.oneOf('kind', KINDS) ?? shape.missing('kind');
  const route = shape.oneOf('route', FAULT_ROUTES) ?? shape.missing('route');
  shape.integer('times', 1);
  shape.integer('skip', 0);
  shape.text('key');
  if (shape.flag('forFirstKey') && (shape.has('times') || shape.has('key'))) {
    shape.fail('forFirstKey stands in place of times and key');
  }
  switch (kind) {
    case 'drop-request':
    case 'drop-answer':
    case 'cut-body':
      shape.oneOf('how', HANGUPS);
      break;
    case 'hold-request':
      break;
    case 'hold-execution':
      if (route !== 'create') shape.fail('hold-execution is for the route create');
      break;
    case 'hold-answer':
      if (shape.flag('keyInUse') && route !== 'create') shape.fail('keyInUse is for the route create');
      break;
    case 'slow-answer':
      if (shape.integer('ms', 0) === undefined) shape.missing('ms');
      break;
    case 'server-error':
      if (shape.flag('effect') === undefined) shape.missing('effect');
      shape.flag('shouldRetry');
      break;
    case 'status':
      parseCannedAnswer(shape, route);
      break;
    default:
      throw new Error(`Bug: a fault ${kind satisfies never} is not parsed.`);
  }
  shape.refuseOthers();
  // Every member was checked above, which the compiler cannot follow.
  return shape.value as unknown as Fault;
}

function parseCannedAnswer(shape: InputShape, route: string): void {
  const status = shape.integer('status', 200) ?? shape.missing('status');
  if (status > 599) shape.fail('status must be 200 to 599');
  if (shape.text('body') === undefined) shape.missing('body');
  const storesOrExecutes = [shape.flag('store'), shape.flag('effect')].includes(true);
  if (storesOrExecutes && route !== 'create') shape.fail('store and effect are for the route create');
  for (const [name, value] of Object.entries(shape.texts('headers') ?? {})) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      shape.fail(`the header ${name} cannot be sent`);
    }
  }
}
