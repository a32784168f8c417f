import { setTimeout as sleep } from 'node:timers/promises';
import type { DownstreamFault } from '../downstream';
import { needs } from '../needs';
import { broken, type CheckedPromise } from '../promise';
import { type ProviderWorld, told } from '../provider-world';
import { counted } from '../shown';

/** An SDK that repeats in the background begins within this. */
const REPEATS_WITHIN_MS = 150;

const TROUBLE: readonly (readonly [what: string, fault: DownstreamFault])[] = [
  ['the connection ended without an answer', { kind: 'lose-answer', how: 'close' }],
  ['the connection was reset', { kind: 'lose-request', how: 'reset' }],
  ['the answer was HTTP 409', { kind: 'answer', status: 409, body: '', carriedOut: false }],
  ['the answer was HTTP 429', answerNow(429)],
  ['the answer was HTTP 500', answerNow(500)],
  ['the answer was HTTP 503', answerNow(503)],
];

/** With leave to try again at once, which is what clients heed that wait otherwise. */
function answerNow(status: number): DownstreamFault {
  return { kind: 'answer', status, body: '', headers: { 'retry-after': '0' }, carriedOut: false };
}

export const ONE_TRY: readonly CheckedPromise<ProviderWorld>[] = [
  {
    promise: 'a send makes one effect with one request, and its outcome names it',
    check: async (world) => {
      const seen = await world.watch();
      await world.make(await world.newSubject());
      const { requests } = await seen();
      if (requests.length !== 1) throw broken(`One send was ${counted(requests.length, 'request')}.`);
    },
  },
  {
    promise: 'whatever goes wrong with a send, it is exactly one request: nothing is sent again by itself',
    notChecked: (world) => needs(world, 'lose-answer', 'lose-request', 'answer'),
    check: async (world) => {
      for (const [what, fault] of TROUBLE) {
        const seen = await world.watch();
        await world.sendUnder(fault);
        await sleep(REPEATS_WITHIN_MS);
        const { requests } = await seen();
        if (requests.length === 1) continue;
        throw broken(
          `When ${what}, ${counted(requests.length, 'request')} arrived for one send. ` +
            'The provider, or the client in it, sends again by itself: the ledger knows of one attempt, and neither its deadline nor its key window covers the others. Switch the retries off.',
        );
      }
    },
  },
  {
    promise: 'a redirect is not followed',
    notChecked: (world) => needs(world, 'answer'),
    check: async (world) => {
      for (const status of [302, 307, 308]) {
        const location = '/elsewhere';
        const { outcome, requests } = await world.sendUnder({
          ...{ kind: 'answer', status, body: '', headers: { location }, carriedOut: false },
        });
        if (requests.length !== 1) throw broken(`An HTTP ${status} was followed: the request was sent twice.`);
        if (outcome.kind !== 'unknown') throw broken(`An HTTP ${status} was told as ${told(outcome)}, and is unknown.`);
      }
    },
  },
];
