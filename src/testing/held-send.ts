import type { Provider } from '../providers/provider';

/**
 * A provider that stops before its first send until `release` ends: the moment between mark and send, made long
 * enough to kill or freeze a worker in it. Everything else is the provider's own.
 */
export function holdFirstSend<Request>(provider: Provider<Request>, release: () => Promise<void>): Provider<Request> {
  let held = false;
  return {
    ...provider,
    send: async (send) => {
      if (!held) {
        held = true;
        await release();
      }
      return provider.send(send);
    },
  };
}
