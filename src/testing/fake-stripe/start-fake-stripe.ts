import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import { type ApiDeps, handleApiRequest } from './api-handler';
import { changeRefund } from './change-refund';
import { Connections } from './connections';
import { CONTROL_PREFIX, handleControl } from './control-face';
import type { Fact } from './fact';
import type { FakeStripe, FakeStripeOptions } from './fake-stripe';
import { FaultTable } from './fault-table';
import { IdempotencyLayer } from './idempotency-layer';
import { InputShape } from './input-shape';
import { Journal } from './journal';
import { Narration } from './narration';
import { PlannedStatuses } from './planned-statuses';
import { reportOf } from './report';
import { addPayment, refundByHand } from './set-up';
import { Store } from './store';
import { Webhooks } from './webhooks';

/** Longer than any test keeps an idle connection: a server that closes first races the next request. */
const KEEP_ALIVE_MS = 600_000;

/**
 * Starts a fake Stripe and resolves once it accepts connections. Rejects where the port is taken, and with
 * `JournalDamagedError` where the journal cannot be read.
 */
export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  const connections = new Connections(server, options.port ?? 0);
  // The port comes first: a second process on the same port and journal fails here, before it touches the file.
  await connections.accept();
  let opened: { journal: Journal; commits: Fact[][] } | null = null;
  let store: Store;
  try {
    opened = options.journalFile === undefined ? null : Journal.open(options.journalFile);
    store = new Store(options.now ?? Date.now, opened?.journal ?? null, opened?.commits ?? []);
  } catch (error) {
    opened?.journal.close();
    await connections.refuse();
    throw error;
  }
  endLostSends(store);

  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const narration = new Narration(store);
  const faults = new FaultTable();
  const planned = new PlannedStatuses();
  const webhooks = new Webhooks({
    target: options.webhook ?? null,
    events: () => store.events(),
    now: () => store.now(),
    told: (delivery) => narration.tell({ kind: 'webhook-sent', delivery }),
    closing: closing.signal,
  });
  store.onCommit((facts) => {
    for (const fact of facts) if (fact.kind === 'event-made') webhooks.take(fact.event);
  });
  const deps: ApiDeps = {
    store,
    faults,
    narration,
    planned,
    idempotency: new IdempotencyLayer(store),
    apiKey: options.apiKey ?? null,
    executionMs: options.executionMs ?? 0,
    storesRefusals: options.storesRefusals ?? true,
    unknownTargetLists: options.unknownTargetLists ?? 'missing',
    closing: closing.signal,
  };

  const fake: FakeStripe = {
    host: connections.host,
    port: connections.port,
    protocol: 'http',
    url: `http://${connections.host}:${connections.port}`,
    addPayment: (order) => addPayment(store, order),
    refundByHand: (order) => refundByHand(store, order),
    nextRefunds: (next) => planned.plan(next),
    settle: (id, status, reason) => store.commit(changeRefund(store, id, status, reason ?? null)),
    setLag: (value) => {
      const shape = new InputShape('lag', value);
      const [list = 0, events = 0, retrieve = 0] = ['list', 'events', 'retrieve'].map((name) => shape.integer(name, 0));
      shape.refuseOthers();
      store.commit([{ kind: 'lag-set', lag: { list, events, retrieve } }]);
    },
    arm: (fault) => faults.arm(fault),
    disarmAll: () => faults.disarmAll(),
    releaseAll: () => faults.releaseAll(),
    refuseConnections: async () => {
      await connections.refuse();
      narration.tell({ kind: 'connections-refused' });
    },
    acceptConnections: async () => {
      await connections.accept();
      narration.tell({ kind: 'connections-accepted' });
    },
    webhooks,
    startRun: () => store.commit([{ kind: 'run-started' }]),
    report: (scope = 'run') => reportOf(store, scope),
    now: () => store.now(),
    advanceClock: (ms) => {
      const shape = new InputShape('clock', { ms });
      store.commit([{ kind: 'clock-advanced', ms: shape.integer('ms', 0) ?? 0 }]);
    },
    onEvent: (listener) => narration.listen(listener),
    close: async () => {
      closing.abort();
      faults.abandonAll();
      await connections.refuse();
      // They may still have something to note.
      await Promise.allSettled([...running, webhooks.settled()]);
      opened?.journal.close();
    },
  };

  const running = new Set<Promise<void>>();
  server.on('request', (incoming, response) => {
    const handled = incoming.url?.startsWith(CONTROL_PREFIX)
      ? handleControl(fake, incoming, response)
      : handleApiRequest(deps, incoming, response);
    running.add(handled);
    void handled
      .catch((error: unknown) => process.emitWarning(`The fake Stripe could not note a request: ${String(error)}`))
      .finally(() => running.delete(handled));
  });
  return fake;
}

/** A process that was killed took its open requests with it: they executed nothing. */
function endLostSends(store: Store): void {
  const lost = store.sends().filter((send) => send.fate === 'waiting');
  if (lost.length === 0) return;
  store.commit(
    lost.map(({ requestId }) => ({ kind: 'send-decided', requestId, fate: 'dropped', refund: null, status: null })),
  );
}
