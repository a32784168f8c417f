// Needs Postgres.
import fc from 'fast-check';
import type { Ledger, LedgerRead, OperationRef } from '../../src/ledger/ledger';
import { foldedAfter } from '../../src/ledger/operation-row';
import { listPauses, pause, resume } from '../../src/ledger/pauses';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { OperationEvent, Recorded } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import type { Outcome } from '../../src/operations/outcome';
import type { Pause } from '../../src/operations/pause';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { answered, callRef, marked, RECEIPT, registered } from '../support/fixtures';
import { PROPERTY_MS, runs } from '../support/property-runs';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let test_: TestDatabase;
let postgres: PostgresLedger;
beforeAll(async () => {
  test_ = await createTestDatabase();
  postgres = new PostgresLedger(test_.database);
});
afterAll(() => test_.drop());

/** Each run has tenants of its own, so that runs share a database and nothing in it. */
let runCount = 0;

const odd = fc.oneof(
  fc.constantFrom('', 'a\0b', '\uD800', '\uFEFF🙂\\u0000', '"', "'; --", '{}', '\u2028', 'ä'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const call = fc.constantFrom(
  callRef(),
  callRef('chat-1/1/1/0', 2),
  { ...callRef('chat-2/1/1/0'), sessionId: 'chat-2' },
  { ...callRef('reconcile/1'), sessionId: '' },
);
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  odd.map((why) => ({
    kind: 'unknown' as const,
    why,
    resend: 'allowed' as const,
    receipt: { ...RECEIPT, detail: why },
  })),
  fc.constantFrom('re_1', 're_2').map((externalId) => ({ kind: 'confirmed' as const, externalId, receipt: RECEIPT })),
  odd.map((message) => ({
    ...({ kind: 'rejected', covers: 'all', code: 'no', externalId: null, receipt: RECEIPT } as const),
    message,
  })),
  odd.map((why) => ({ kind: 'not-submitted' as const, why, receipt: RECEIPT })),
);
const event: fc.Arbitrary<OperationEvent> = fc.oneof(
  fc.tuple(odd, call).map(([intent, by]) => registered({ intent: JSON.stringify(intent), call: by })),
  fc.tuple(fc.integer({ min: 1, max: 3 }), call).map(([attempt, by]) => marked({ attempt, call: by })),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), outcome, call)
    .map(([attempt, what, by]) => answered(what, { attempt, call: by })),
  call.map((by): OperationEvent => ({ kind: 'told', generation: 1, call: by })),
  odd.map((reason): OperationEvent => ({ kind: 'escalated', generation: 1, reason })),
  odd.map((why): OperationEvent => ({ kind: 'dropped', generation: 1, why })),
  fc.tuple(fc.constantFrom('re_1', 're_3'), fc.constantFrom('pending', 'succeeded', 'failed')).map(
    ([externalId, status]): OperationEvent => ({
      ...({ kind: 'evidence', source: 'webhook', generation: 1, begunAt: 0, final: false } as const),
      evidence: { kind: 'found', effects: [{ externalId, status, key: null, mismatch: null }], complete: false },
    }),
  ),
  odd.map(
    (note): OperationEvent => ({
      ...({ kind: 'resolved', generation: 1, by: 'ann', sawVersion: 3 } as const),
      ...({ note, verdict: { as: 'rejected', allowResend: false } } as const),
    }),
  ),
);
/** As the product does, an operation begins with what makes it one. */
const opening = fc.oneof(
  fc.tuple(odd, call).map(([intent, by]): OperationEvent => registered({ intent: JSON.stringify(intent), call: by })),
  fc.tuple(odd, call).map(
    ([why, by]): OperationEvent => ({
      ...({ kind: 'closed', generation: 1, tool: 'refund_line_item', provider: 'stripe.refunds' } as const),
      ...{ call: by, why },
    }),
  ),
);
const events = fc.tuple(opening, fc.array(event, { minLength: 1, maxLength: 3 }));

const PAUSES: readonly Pause[] = [
  { kind: 'tool', name: 'refund_line_item' },
  { kind: 'provider', name: 'stripe.refunds' },
  { kind: 'tool', name: 'stripe.refunds' },
];

/** What is the same on both sides: all but the times, which are each ledger's own. */
function shape({ events: history, pauses }: LedgerRead) {
  return {
    events: history.map(({ at: _at, ...rest }) => rest),
    pauses: pauses.map(({ kind, name }) => `${kind} ${name}`).sort(),
  };
}

/** Events of one save have one time, and no event is before an earlier one. */
function expectTimes({ now, events: history }: LedgerRead, saves: readonly number[]): void {
  const times = history.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.every((at) => at <= now)).toBe(true);
  let from = 0;
  for (const length of saves) {
    expect(new Set(times.slice(from, from + length)).size).toBe(1);
    from += length;
  }
}

/** What each writer last read of each operation: what it decides on, stale or not. */
interface Model {
  readonly seen: Map<string, readonly Recorded[]>;
  /** Lengths of the saves of each operation that were taken. */
  readonly saves: Map<string, number[]>;
  refused: number;
  paused: readonly Pause[];
}
interface Sides {
  readonly memory: InMemoryLedger;
  readonly tenants: string;
}
type LedgerCommand = fc.AsyncCommand<Model, Sides>;

interface Target {
  readonly tenant: number;
  readonly operation: number;
}
/** Most commands are about one operation, so that writers meet there. */
const target = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ tenant: 0, operation: 0 }) },
  fc.record({ tenant: fc.nat(1), operation: fc.nat(1) }),
);
const writer = fc.nat(1);
const nameOf = ({ tenant, operation }: Target) => `${tenant}/${operation}`;
const refOf = ({ tenant, operation }: Target, { tenants }: Sides): OperationRef => ({
  tenant: `${tenants}-${tenant}`,
  operationId: `refund-${operation}`,
});

class Load implements LedgerCommand {
  constructor(
    readonly by: number,
    readonly target: Target,
  ) {}
  check = () => true;
  async run(model: Model, sides: Sides): Promise<void> {
    const ref = refOf(this.target, sides);
    const [mine, theirs] = [await sides.memory.load(ref), await postgres.load(ref)];
    expect(shape(theirs)).toEqual(shape(mine));
    expect(shape(mine).pauses).toEqual(shape({ now: 0, events: [], pauses: model.paused }).pauses);
    const saves = model.saves.get(nameOf(this.target)) ?? [];
    expectTimes(mine, saves);
    expectTimes(theirs, saves);
    model.seen.set(`${this.by} ${nameOf(this.target)}`, mine.events);
  }
  toString = () => `writer ${this.by} loads ${nameOf(this.target)}`;
}

class Save implements LedgerCommand {
  constructor(
    readonly by: number,
    readonly target: Target,
    readonly opening: OperationEvent,
    readonly more: readonly OperationEvent[],
    /** How far behind what the writer read, or ahead of all that is, the save claims to be. */
    readonly off: number,
  ) {}
  check = () => true;
  async run(model: Model, sides: Sides): Promise<void> {
    const ref = refOf(this.target, sides);
    const seen = model.seen.get(`${this.by} ${nameOf(this.target)}`) ?? [];
    const { events: all } = sides.memory.read(ref);
    // A version that never was lies behind all that is: as long as the history, `before` has to be the history.
    const before = this.off > 0 ? [...all, ...all.slice(0, this.off)] : seen.slice(0, seen.length + this.off);
    const added = before.length === 0 ? [this.opening, ...this.more] : this.more;
    const [mine, theirs] = [
      await sides.memory.save({ ...ref, before, events: added }),
      await postgres.save({ ...ref, before, events: added }),
    ];
    expect(theirs === null).toBe(mine === null);
    const saves = model.saves.get(nameOf(this.target)) ?? [];
    const version = saves.reduce((sum, length) => sum + length, 0);
    expect(mine !== null).toBe(before.length === version);
    if (mine === null) model.refused += 1;
    else model.saves.set(nameOf(this.target), [...saves, added.length]);
  }
  toString = () =>
    `writer ${this.by} saves ${this.more.map(({ kind }) => kind)} to ${nameOf(this.target)}${this.off === 0 ? '' : `, off by ${this.off}`}`;
}

class SetPause implements LedgerCommand {
  constructor(
    readonly which: Pause,
    readonly on: boolean,
  ) {}
  check = () => true;
  async run(model: Model, { memory }: Sides): Promise<void> {
    const others = model.paused.filter((one) => one !== this.which);
    model.paused = this.on ? [...others, this.which] : others;
    memory.pauses = model.paused;
    if (this.on) await pause(test_.database, { ...this.which, by: 'ann', note: 'The bank is closed.' });
    else await resume(test_.database, this.which);
  }
  toString = () => `${this.on ? 'pause' : 'resume'} ${this.which.kind} ${this.which.name}`;
}

class MoveClock implements LedgerCommand {
  constructor(readonly ms: number) {}
  check = () => true;
  async run(_model: Model, { memory }: Sides): Promise<void> {
    memory.advance(this.ms);
    await test_.advanceClock(this.ms);
  }
  toString = () => `the clock moves by ${this.ms} ms`;
}

const load = fc.tuple(writer, target).map(([by, of]) => new Load(by, of));
const save = fc
  .tuple(writer, target, events, fc.constantFrom(0, 0, 0, 0, -1, -2, 1, 2))
  .map(([by, of, [first, more], off]) => new Save(by, of, first, more, off));
const setPause = fc.tuple(fc.constantFrom(...PAUSES), fc.boolean()).map(([which, on]) => new SetPause(which, on));
const moveClock = fc.constantFrom(1, 60_000, 86_400_000, -60_000, -86_400_000).map((ms) => new MoveClock(ms));

describe('the in-memory ledger and the Postgres ledger', () => {
  test(
    'give the same results and the same reads for the same commands, of any writer, right or stale',
    async () => {
      let taken = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.commands([load, load, save, save, save, setPause, moveClock], { maxCommands: 30, size: 'max' }),
          async (commands) => {
            const sides: Sides = { memory: new InMemoryLedger(), tenants: `run-${++runCount}` };
            const model: Model = { seen: new Map(), saves: new Map(), refused: 0, paused: [] };
            for (const one of await listPauses(test_.database)) await resume(test_.database, one);
            await fc.asyncModelRun(() => ({ model, real: sides }), commands);
            taken += [...model.saves.values()].flat().length;
            refused += model.refused;
            await expectRows(sides);
          },
        ),
        runs(40),
      );
      // Both ends of a save came up.
      expect([taken > 0, refused > 0]).toEqual([true, true]);
    },
    PROPERTY_MS,
  );

  const FOLDED = `select tool, provider, state, reason, external_id, resolved_by, generation, key, attempts, waits_for,
    (extract(epoch from in_flight_until) * 1000)::float8 as in_flight_until, version
    from sendonce.operations where tenant = $1 and operation_id = $2`;

  /** The row that Postgres keeps for finding is the fold of what the in-memory ledger holds. */
  async function expectRows(sides: Sides): Promise<void> {
    for (const tenant of [0, 1]) {
      for (const operation of [0, 1]) {
        const ref = refOf({ tenant, operation }, sides);
        const { events: history } = sides.memory.read(ref);
        const { rows } = await test_.database.pool.query(FOLDED, [ref.tenant, ref.operationId]);
        const expected =
          history.length === 0
            ? []
            : [{ ...foldedAfter({ ...ref, before: [], events: history.map(asEvent) }).row, version: history.length }];
        expect(rows).toEqual(expected);
      }
    }
  }

  /** What a writer did, and what it saw meanwhile. */
  interface Race {
    readonly ledger: Ledger;
    readonly ref: OperationRef;
    readonly writers: readonly number[];
    readonly reread: boolean;
  }

  /** Each writer gets its events in, one save after another, and reads again where it lost a race. */
  async function race({
    ledger,
    ref,
    writers,
    reread,
  }: Race): Promise<{ won: number[]; lost: number; seen: LedgerRead[] }> {
    const seen: LedgerRead[] = [];
    const won: number[] = [];
    let lost = 0;
    await Promise.all(
      writers.map(async (count, by) => {
        let before: readonly Recorded[] = [];
        for (let nth = 1; nth <= count; ) {
          const mine = (place: number): OperationEvent => marked({ attempt: by * 100 + nth * 10 + place });
          const added = before.length === 0 ? [registered(), mine(1), mine(2)] : [mine(1), mine(2)];
          const saved = await ledger.save({ ...ref, before, events: added });
          if (saved === null) lost += 1;
          else {
            won.push(before.length);
            nth += 1;
          }
          if (saved !== null && !reread) {
            const at = saved.at;
            before = [
              ...before,
              ...added.map((one, index): Recorded => ({ ...one, seq: before.length + index + 1, at })),
            ];
            continue;
          }
          const read = await ledger.load(ref);
          seen.push(read);
          before = read.events;
        }
      }),
    );
    return { won, lost, seen };
  }

  test(
    'when writers race: of each version one wins, nothing is half written, and each read is a part of the end',
    async () => {
      let lostRaces = 0;
      const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), sizes, fc.boolean(), async (scheduler, writers, reread) => {
          const ref = { tenant: `race-${++runCount}`, operationId: 'refund-1' };
          const memory = new InMemoryLedger();
          // Postgres interleaves by itself; in memory fast-check does, at each call.
          const scheduled: Ledger = {
            load: (...args) => scheduler.schedule(Promise.resolve()).then(() => memory.load(...args)),
            save: (...args) => scheduler.schedule(Promise.resolve()).then(() => memory.save(...args)),
          };
          const inMemory = race({ ledger: scheduled, ref, writers, reread });
          await scheduler.waitFor(inMemory);
          const sides = [
            { ...(await inMemory), end: await memory.load(ref) },
            { ...(await race({ ledger: postgres, ref, writers, reread })), end: await postgres.load(ref) },
          ];
          const saves = writers.reduce((sum, count) => sum + count, 0);
          for (const { won, lost, seen, end } of sides) {
            lostRaces += lost;
            // The first save has three events, every other one two: each won version is another, without gaps.
            expect(won.sort((a, b) => a - b)).toEqual([
              0,
              ...Array.from({ length: saves - 1 }, (_, nth) => 3 + 2 * nth),
            ]);
            expect(end.events.map(({ seq }) => seq)).toEqual(
              Array.from({ length: 1 + 2 * saves }, (_, nth) => nth + 1),
            );
            expect(attemptsOf(end)).toEqual(expectedAttempts(writers));
            // The two events of a save stand side by side: no other writer's between them.
            expect(end.events.slice(1).map((one) => (one.kind === 'marked' ? one.attempt % 10 : 0))).toEqual(
              Array.from({ length: saves }, () => [1, 2]).flat(),
            );
            for (const read of seen) {
              expect(read.events).toEqual(end.events.slice(0, read.events.length));
              expect(fold(read.events)?.version).toBe(read.events.length);
            }
          }
          const kinds = sides.map(({ end }) => end.events.map(({ kind }) => kind));
          expect(kinds[1]).toEqual(kinds[0]);
        }),
        runs(20),
      );
      expect(lostRaces).toBeGreaterThan(0);
    },
    PROPERTY_MS,
  );

  test(
    'when first saves and saves on one version come all at once, one of them wins',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: 12 }), fc.nat(3), async (count, stale) => {
          const ref = { tenant: `rush-${++runCount}`, operationId: 'refund-1' };
          for (const ledger of [new InMemoryLedger(), postgres]) {
            const rush = (before: readonly Recorded[], event_: (nth: number) => OperationEvent[]) =>
              Promise.all(
                Array.from({ length: count }, (_, nth) => ledger.save({ ...ref, before, events: event_(nth) })),
              );
            const first = await rush([], (nth) => [registered({ intent: `${nth}` }), marked()]);
            expect(first.filter((saved) => saved !== null)).toHaveLength(1);
            const { events: before } = await ledger.load(ref);
            const winner = first.findIndex((saved) => saved !== null);
            expect(before).toMatchObject([{ kind: 'registered', intent: `${winner}` }, { kind: 'marked' }]);
            const [second, late] = await Promise.all([
              rush(before, (nth) => [marked({ attempt: nth + 2 })]),
              Promise.all(
                Array.from({ length: stale }, () =>
                  ledger.save({ ...ref, before: before.slice(0, 1), events: [marked({ attempt: 99 })] }),
                ),
              ),
            ]);
            expect(second.filter((saved) => saved !== null)).toHaveLength(1);
            expect(late.every((saved) => saved === null)).toBe(true);
            expect((await ledger.load(ref)).events).toHaveLength(3);
          }
        }),
        runs(15),
      );
    },
    PROPERTY_MS,
  );
});

function asEvent({ seq: _seq, at: _at, ...rest }: Recorded): OperationEvent {
  return rest as OperationEvent;
}

function attemptsOf({ events: history }: LedgerRead): number[] {
  return history.flatMap((one) => (one.kind === 'marked' ? [one.attempt] : [])).sort((a, b) => a - b);
}

function expectedAttempts(writers: readonly number[]): number[] {
  const all = writers.flatMap((count, by) =>
    Array.from({ length: count }, (_, nth) => [by * 100 + (nth + 1) * 10 + 1, by * 100 + (nth + 1) * 10 + 2]).flat(),
  );
  return all.sort((a, b) => a - b);
}
