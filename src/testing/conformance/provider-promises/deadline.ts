import type { SendDeadline } from '../../../providers/provider';
import { broken, type CheckedPromise } from '../promise';
import { type ProviderWorld, told } from '../provider-world';

/** Time is over from the nth question on: a process that froze, or a connection that took too long. */
function overFrom(nth: number): SendDeadline {
  let asked = 0;
  return { remainingMs: () => (++asked >= nth ? 0 : 10_000) };
}

export const DEADLINE: readonly CheckedPromise<ProviderWorld>[] = [
  {
    promise: 'after its deadline a send writes nothing, and is not-submitted',
    check: async (world) => {
      const { outcome, requests } = await world.send(await world.newSubject(), overFrom(1));
      if (requests.length > 0) throw broken('The deadline was over before the send began, and the request was sent.');
      if (outcome.kind !== 'not-submitted') throw broken(`Nothing was sent, and the outcome is ${told(outcome)}.`);
    },
  },
  {
    promise:
      'a deadline that ends while the connection is made is noticed: it is asked again right before the bytes are written',
    check: async (world) => {
      const { outcome, requests } = await world.send(await world.newSubject(), overFrom(2));
      if (requests.length > 0) {
        throw broken(
          'The deadline was over when the connection stood, and the request was sent all the same. ' +
            'Ask remainingMs() again when the connection stands, with nothing awaited between that and the write: a process that was frozen in between would send days later.',
        );
      }
      if (outcome.kind !== 'not-submitted') throw broken(`Nothing was sent, and the outcome is ${told(outcome)}.`);
    },
  },
  {
    promise: 'a connection that is refused is not-submitted',
    check: async (world) => {
      const subject = await world.newSubject();
      await world.downstream.refuseConnections();
      const outcome = await world.outcomeOf(subject).finally(() => world.downstream.acceptConnections());
      if (outcome.kind !== 'not-submitted') {
        throw broken(`Nobody could connect, so nothing was sent, and the outcome is ${told(outcome)}.`);
      }
    },
  },
];
