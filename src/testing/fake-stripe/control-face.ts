import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './api-request';
import type { FakeStripe } from './fake-stripe';
import { ControlInputError, InputShape } from './input-shape';
import { parseFault } from './parse-fault';
import { REPORT_SCOPES } from './report';
import { parsePaymentOrder } from './set-up';

/** Paths that belong to the control and not to the API. */
export const CONTROL_PREFIX = '/_fake/';

interface ControlAnswer {
  readonly status: number;
  readonly value: object;
}

/** The fake's control over HTTP, for another process on this machine. JSON in, JSON out, no key. */
export async function handleControl(
  fake: FakeStripe,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { body, whole } = await readBody(incoming);
  if (!whole) return;
  const { status, value } = answer(fake, incoming, body);
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify(value)}\n`);
}

function answer(fake: FakeStripe, incoming: IncomingMessage, body: string): ControlAnswer {
  const refusal = refusalOfSender(incoming);
  if (refusal !== null) return { status: 403, value: { error: refusal } };
  const url = new URL(incoming.url ?? '/', 'http://fake');
  const command = `${incoming.method ?? 'GET'} ${url.pathname.slice(CONTROL_PREFIX.length)}`;
  try {
    return execute(fake, command, url.searchParams, body);
  } catch (error) {
    if (error instanceof ControlInputError) return { status: 400, value: { error: error.message } };
    return { status: 500, value: { error: String(error) } };
  }
}

function execute(fake: FakeStripe, command: string, query: URLSearchParams, body: string): ControlAnswer {
  switch (command) {
    case 'GET report': {
      const shape = new InputShape('query', Object.fromEntries(query));
      const scope = shape.oneOf('scope', REPORT_SCOPES) ?? 'run';
      shape.refuseOthers();
      return { status: 200, value: fake.report(scope) };
    }
    case 'POST clock': {
      const shape = new InputShape('clock', parseBody(body));
      const ms = shape.integer('advanceMs', 0) ?? shape.missing('advanceMs');
      shape.refuseOthers();
      fake.advanceClock(ms);
      return { status: 200, value: { now: fake.now() } };
    }
    case 'POST faults': {
      const armed = fake.arm(parseFault(parseBody(body)));
      return { status: 201, value: { id: armed.id, fault: armed.fault } };
    }
    case 'DELETE faults':
      fake.disarmAll();
      fake.releaseAll();
      return { status: 200, value: {} };
    case 'POST payments': {
      const { id, charge, account, amount, currency } = fake.addPayment(parsePaymentOrder(parseBody(body)));
      return { status: 201, value: { id, charge, account, amount, currency } };
    }
    case 'POST runs':
      fake.startRun();
      return { status: 201, value: {} };
    default:
      return { status: 404, value: { error: `The control does not know ${command}.` } };
  }
}

/** A page in a browser on this machine could reach the port, too: it names an origin, or a host of its own. */
function refusalOfSender(incoming: IncomingMessage): string | null {
  const address = incoming.socket.remoteAddress ?? '';
  const host = (incoming.headers.host ?? '').replace(/:\d+$/, '');
  if (!/^(127\.|::ffff:127\.|::1$)/.test(address)) return 'The control is for this machine only.';
  if (incoming.headers.origin !== undefined) return 'The control is not for web pages.';
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) return 'The control is reached by a loopback address only.';
  return null;
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlInputError('The body is not JSON.');
  }
}
