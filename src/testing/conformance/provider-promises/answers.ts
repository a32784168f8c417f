import { within } from '../../../within';
import type { DownstreamFault } from '../downstream';
import { needs } from '../needs';
import { broken, type CheckedPromise } from '../promise';
import { type ProviderWorld, type Sent, told } from '../provider-world';

/** Longer than any honest client takes to give up by itself on a machine's own network. */
const SLOW_MS = 300;

type Case = readonly [what: string, fault: DownstreamFault];

const NO_ANSWER: readonly Case[] = [
  ['The effect was made, and the connection ended without an answer', { kind: 'lose-answer', how: 'close' }],
  ['The effect was made, and the connection was reset', { kind: 'lose-answer', how: 'reset' }],
  ['The effect was made, and its answer was cut', { kind: 'cut-answer' }],
  ['The request was written, and the connection ended', { kind: 'lose-request', how: 'close' }],
  ['The request was written, and the connection was reset', { kind: 'lose-request', how: 'reset' }],
];

const UNREADABLE: readonly Case[] = [
  ['HTML came in place of the answer', replaced(null, '<html><body>Welcome</body></html>')],
  ['an empty object came in place of the answer', replaced(null, '{}', 'application/json')],
  ['nothing came in place of the answer', replaced(null, '')],
];

const SERVER_ERRORS: readonly Case[] = [500, 502, 504].flatMap((status): Case[] => [
  [`The effect was made, and the answer was HTTP ${status}`, { ...answered(status), carriedOut: true }],
  [`The answer was HTTP ${status}`, answered(status)],
]);

const OF_A_GATEWAY: readonly Case[] = [403, 404, 409, 413, 418].map(
  (status): Case => [`A page with HTTP ${status} came, as from a gateway`, answered(status)],
);

function replaced(status: number | null, body: string, type = 'text/html'): DownstreamFault {
  return { kind: 'answer', status, body, headers: { 'content-type': type }, carriedOut: true };
}

function answered(status: number) {
  return { kind: 'answer', status, body: `<html><h1>${status}</h1></html>`, carriedOut: false } as const;
}

export const ANSWERS: readonly CheckedPromise<ProviderWorld>[] = [
  {
    promise: 'no answer → unknown: a lost one is no failure, and no proof that nothing was sent',
    notChecked: (world) => needs(world, 'lose-answer', 'lose-request', 'cut-answer'),
    check: (world) => eachIsUnknown(world, NO_ANSWER),
  },
  {
    promise: 'an answer that is not the effect → unknown, whatever its status',
    notChecked: (world) => needs(world, 'answer'),
    check: (world) => eachIsUnknown(world, UNREADABLE),
  },
  {
    promise: '5xx → unknown: the effect may have been made',
    notChecked: (world) => needs(world, 'answer'),
    check: (world) => eachIsUnknown(world, SERVER_ERRORS),
  },
  {
    promise: 'a status alone is no refusal: a page of a gateway is never rejected',
    notChecked: (world) => needs(world, 'answer'),
    check: async (world) => {
      for (const [what, fault] of OF_A_GATEWAY) {
        const sent = await world.sendUnder(fault);
        if (sent.outcome.kind === 'not-submitted') continue;
        if (sent.outcome.kind !== 'rejected') unknownOrBroken(what, sent);
        else
          throw broken(`${what}, and the outcome is ${told(sent.outcome)}. Only what the vendor says is refused is.`);
      }
    },
  },
  {
    promise: 'an answer that takes long is waited for, and is no failure',
    notChecked: (world) => needs(world, 'hold-answer'),
    check: async (world) => {
      const subject = await world.newSubject();
      const treatment = world.downstream.treatNext({ kind: 'hold-answer' });
      try {
        const seen = await world.watch();
        const sending = world.outcomeOf(subject);
        const early = await within(SLOW_MS, sending);
        if (early !== null) unknownOrBroken('The answer took a while', { outcome: early, ...(await seen()) });
        treatment.release();
        const late = await sending;
        const { requests } = await seen();
        if (requests.length !== 1) throw broken('While the answer was waited for, the request was sent again.');
        if (late.kind === 'rejected' || late.kind === 'not-submitted') {
          throw broken(`The answer came late, and the outcome is ${told(late)}.`);
        }
      } finally {
        world.downstream.calm();
      }
    },
  },
];

async function eachIsUnknown(world: ProviderWorld, cases: readonly Case[]): Promise<void> {
  for (const [what, fault] of cases) unknownOrBroken(what, await world.sendUnder(fault));
}

function unknownOrBroken(what: string, { outcome, effects }: Sent): void {
  if (outcome.kind === 'unknown') return;
  const [effect] = effects;
  const truth = effect === undefined ? 'nobody can know from that' : `${effect.externalId} exists`;
  const wrong = {
    rejected: 'A failure is told of what may have taken effect, so the model asks for it once more.',
    'not-submitted': 'Bytes had left: this is no proof that nothing was sent.',
    confirmed: 'A success needs a well-formed answer that holds the effect.',
    accepted: 'A success needs a well-formed answer that holds the effect.',
  }[outcome.kind];
  throw broken(`${what}, and the outcome is ${told(outcome)}, while ${truth}. It is unknown. ${wrong}`);
}
