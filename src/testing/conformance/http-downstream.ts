import { ConformanceSetupError } from './conformance-setup-error';
import type { Downstream, DownstreamEffect, DownstreamFault, DownstreamRequest } from './downstream';
import { FaultProxy } from './fault-proxy';

/** A fake or a sandbox of yours that is running. */
export interface HttpTarget {
  /** Its base URL, `http://` or `https://`. */
  readonly url: string;
  /**
   * All effects that exist there now. Count them where they are made: a fake's own list, a `select count(*)`, the
   * sandbox's list endpoint. What the provider under test says does not count.
   */
  effects(): readonly DownstreamEffect[] | Promise<readonly DownstreamEffect[]>;
  /** Ends it; left out where it lives on. */
  stop?(): void | Promise<void>;
}

/** What `httpDownstream` takes. */
export interface HttpDownstreamOptions {
  /** Starts the target, or just says where it is. Called once. */
  start(): HttpTarget | Promise<HttpTarget>;
  /**
   * Which requests are to make an effect. Default: every method but GET, HEAD and OPTIONS. Say it where a token is
   * fetched or a search is made by POST.
   */
  isForEffect?(request: Omit<DownstreamRequest, 'key'>): boolean;
  /** Where the idempotency key stands. Default: the header `Idempotency-Key`. */
  keyOf?(request: Omit<DownstreamRequest, 'key'>): string | null;
}

const CAN: readonly DownstreamFault['kind'][] = [
  'lose-request',
  'lose-answer',
  'cut-answer',
  'hold-request',
  'hold-answer',
  'repeat-request',
  'answer',
];

/**
 * A downstream for whatever speaks HTTP: a proxy on this machine in front of your fake or your provider's sandbox. All
 * that you add is a way to count effects. Point what is checked at the proxy's `url`, never at the target's.
 */
export function httpDownstream(options: HttpDownstreamOptions): Downstream {
  if (typeof options?.start !== 'function') {
    throw new ConformanceSetupError('httpDownstream needs start: () => ({ url, effects }), which starts your fake.');
  }
  let running: { readonly target: HttpTarget; readonly proxy: FaultProxy } | null = null;
  const started = () => {
    if (running === null) throw new ConformanceSetupError('The downstream has not been started, or has been stopped.');
    return running;
  };
  return {
    can: CAN,
    start: async () => {
      const target = await options.start();
      const proxy = await FaultProxy.to(urlOf(target), {
        isForEffect: (request) => options.isForEffect?.(request) ?? !/^(GET|HEAD|OPTIONS)$/.test(request.method),
        keyOf: (request) => (options.keyOf ? options.keyOf(request) : (request.headers['idempotency-key'] ?? null)),
      });
      running = { target, proxy };
      return proxy.address;
    },
    stop: async () => {
      if (running === null) return;
      const { target, proxy } = running;
      running = null;
      proxy.calm();
      await proxy.refuse();
      await target.stop?.();
    },
    effects: async () => started().target.effects(),
    requests: () => started().proxy.requests,
    treatNext: (fault, scope = {}) => started().proxy.treatNext(fault, scope),
    calm: () => started().proxy.calm(),
    onRequest: (listener) => started().proxy.listen(listener),
    refuseConnections: () => started().proxy.refuse(),
    acceptConnections: () => started().proxy.accept(),
  };
}

function urlOf(target: HttpTarget | undefined): URL {
  if (typeof target?.effects !== 'function') {
    throw new ConformanceSetupError('start of httpDownstream must give effects: all effects that exist at the target.');
  }
  const url = URL.canParse(target.url) ? new URL(target.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ConformanceSetupError(
      `start of httpDownstream must give the target's url, not ${JSON.stringify(target.url)}.`,
    );
  }
  return url;
}
