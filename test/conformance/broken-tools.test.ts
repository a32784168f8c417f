// Needs nothing but local ports: tools that are built on nothing of ours, one sound and four broken, through the kit.
import { randomUUID } from 'node:crypto';
import {
  checkOperation,
  type DownstreamAddress,
  type Finding,
  httpDownstream,
  type OperationUnderTest,
  type Told,
} from '../../src/testing';
import { startHelpdesk } from '../support/helpdesk';

/** What a plain tool keeps of a ticket it opens: outlives its process, as a row of a table does. */
interface Row {
  readonly ticket: string | null;
}

type Rows = Map<string, Row>;

/** Far above what an answer takes on a busy machine. */
const TIMEOUT_MS = 4_000;

async function post(url: string, key: string, body: object): Promise<string> {
  const response = await fetch(`${url}/tickets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 201) throw new Error(`HTTP ${response.status}`);
  const { id } = (await response.json()) as { id?: string };
  if (id === undefined) throw new Error('This is no ticket.');
  return id;
}

type Tool = (order: string, rows: Rows, url: string) => Promise<Told>;

const done = (externalId: string): Told => ({ says: 'done', text: `Ticket ${externalId} is open.`, externalId });
const OPEN: Told = { says: 'open', text: 'It was sent and no answer came. We are finding out.' };

/** Plain, and sound for a downstream that heeds its key: recorded before it is sent, one key, unknown is unknown. */
const sound: Tool = async (order, rows, url) => {
  const row = rows.get(order);
  if (row?.ticket) return done(row.ticket);
  rows.set(order, { ticket: null });
  try {
    const ticket = await post(url, `ticket-${order}`, { order });
    rows.set(order, { ticket });
    return done(ticket);
  } catch {
    return OPEN;
  }
};

const timeoutAsFailure: Tool = async (order, rows, url) => {
  const told = await sound(order, rows, url);
  if (told.says === 'open') throw new Error('Failed to open the ticket. Please try again.');
  return told;
};

const newKeyEachTry: Tool = async (order, rows, url) => {
  const row = rows.get(order);
  if (row?.ticket) return done(row.ticket);
  rows.set(order, { ticket: null });
  try {
    const ticket = await post(url, randomUUID(), { order });
    rows.set(order, { ticket });
    return done(ticket);
  } catch {
    return OPEN;
  }
};

const recordDeletedOnError: Tool = async (order, rows, url) => {
  const told = await sound(order, rows, url);
  if (told.says === 'open') rows.delete(order);
  return told;
};

const noMarkBeforeSend: Tool = async (order, rows, url) => {
  const row = rows.get(order);
  if (row?.ticket) return done(row.ticket);
  const ticket = await post(url, `ticket-${order}`, { order }).catch(() => null);
  rows.set(order, { ticket });
  return ticket === null ? OPEN : done(ticket);
};

function findingsOf(tool: Tool): Promise<readonly Finding[]> {
  const rows: Rows = new Map();
  const orderOf = ({ input }: { readonly input: unknown }) => (input as { order: string }).order.replace('#', '');
  return checkOperation({
    downstream: httpDownstream({
      start: async () => {
        const { url, tickets, close } = await startHelpdesk();
        return { url, effects: () => tickets.map(({ id }) => ({ externalId: id })), stop: close };
      },
    }),
    operation: ({ url }: DownstreamAddress): OperationUnderTest => ({
      call: (call) => tool(orderOf(call), rows, url),
      recorded: (call) => (rows.has(orderOf(call)) ? 1 : 0),
    }),
    input: (nth) => ({ order: String(nth) }),
    reworded: (input) => ({ order: `#${(input as { order: string }).order}` }),
    // Longer than the tools' own time-out, so that it is theirs that is seen.
    patienceMs: 5_000,
  });
}

const TOOLS = { sound, timeoutAsFailure, newKeyEachTry, recordDeletedOnError, noMarkBeforeSend };
const found: Partial<Record<keyof typeof TOOLS, readonly Finding[]>> = {};

beforeAll(async () => {
  // They wait more than they work, each for its own helpdesk.
  const each = Object.entries(TOOLS).map(async ([name, tool]) => [name, await findingsOf(tool)] as const);
  Object.assign(found, Object.fromEntries(await Promise.all(each)));
}, 400_000);

function brokenOf(tool: keyof typeof TOOLS): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (found[tool] ?? []).flatMap(({ promise, broken }) => (broken === null ? [] : [[promise, broken]])),
  );
}

test('a sound tool breaks no promise, and every one of them was checked', () => {
  expect(brokenOf('sound')).toEqual({});
  expect(found.sound?.filter(({ notChecked }) => notChecked !== null)).toEqual([]);
  expect(found.sound?.length).toBeGreaterThan(10);
});

test('a time-out told as a failure is caught', () => {
  const broken = brokenOf('timeoutAsFailure');
  expect(broken['a lost answer or a time-out is never told as a failure']).toMatch(
    /^The effect was made, and the connection ended without an answer, and the call was told that it failed \("it threw Error: Failed to open the ticket\. Please try again\."\), while ticket_\d+ exists\. A model that reads this asks for it once more\./,
  );
  expect(Object.keys(broken)).toEqual([
    'a lost answer or a time-out is never told as a failure',
    'every answer is lost, however often the model asks → one effect',
  ]);
});

test('a new key each try is caught, and so are the second effects that it makes', () => {
  const broken = brokenOf('newKeyEachTry');
  expect(broken['one intent goes under one key, however often it is sent']).toMatch(
    /^Two requests were lost on their way, and one intent was sent 3 times under [\w-]{36}, then [\w-]{36}, then [\w-]{36}\. .*Compute the key from the business/,
  );
  expect(
    broken['the answer is lost and the model asks again, in other words and from another session → one effect'],
  ).toMatch(
    /^The effect was made, and the connection ended without an answer, and the model asked again, and one intent has 2 effects: ticket_\d+ and ticket_\d+\. Its requests went under [\w-]{36}, [\w-]{36}\./,
  );
});

test('a record that is deleted on an error is caught', () => {
  expect(brokenOf('recordDeletedOnError')).toEqual({
    'no error deletes the record of what was sent': expect.stringMatching(
      /^A request was sent and its answer was lost, and afterwards nothing is on record of it: the error has deleted the record/,
    ),
  });
});

test('a send without a mark before it is caught', () => {
  expect(brokenOf('noMarkBeforeSend')).toEqual({
    'the mark comes before the send: whatever arrives downstream is on record': expect.stringMatching(
      /^A request arrived downstream, and nothing was on record of it\. .*Commit the mark before the first byte leaves\./,
    ),
  });
});
