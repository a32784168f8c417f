import { keyMaxLength, keyPrefix } from '../../../operations/key';
import { needs } from '../needs';
import { broken, type CheckedPromise } from '../promise';
import { type ProviderWorld, TENANT, told } from '../provider-world';
import { counted, shown } from '../shown';

function withoutKey({ parts }: ProviderWorld): string | null {
  return parts.contract.key === 'none' ? "the contract's key is 'none'" : null;
}

export const KEYS: readonly CheckedPromise<ProviderWorld>[] = [
  {
    promise: 'the key goes downstream as it is given, up to the longest that the contract allows',
    notChecked: withoutKey,
    check: async (world) => {
      const prefix = keyPrefix(TENANT, world.parts.sharedAccount);
      const { operationId } = world.newMark();
      const longest = operationId.padEnd(keyMaxLength(world.parts.contract) - prefix.length, 'x');
      for (const mark of [world.newMark(), world.markOf(longest)]) {
        const { requests } = await world.send(await world.newSubject(mark));
        const key = requests[0]?.key ?? null;
        if (key === mark.key) continue;
        throw broken(
          `The key ${mark.key} arrived as ${key === null ? 'no key' : key}. Every attempt goes under the key that it is given, as it is; ` +
            'where it stands in another place than the header Idempotency-Key, tell the downstream by keyOf.',
        );
      }
    },
  },
  {
    promise: 'a second send of the stored request is the first again, byte for byte',
    notChecked: withoutKey,
    check: async (world) => {
      const subject = await world.newSubject();
      const seen = await world.watch();
      await world.make(subject);
      await world.outcomeOf(subject);
      const [first, second] = (await seen()).requests;
      for (const part of ['method', 'path', 'body', 'key'] as const) {
        if (first?.[part] === second?.[part]) continue;
        throw broken(
          `The ${part} of the second send is ${shown(second?.[part])}, and of the first it was ${shown(first?.[part])}. What encode wrote is sent as it is: nothing is computed or drawn anew.`,
        );
      }
    },
  },
  {
    promise: 'the same request and key again is the same effect, and is answered so',
    notChecked: withoutKey,
    check: async (world) => {
      const subject = await world.newSubject();
      const made = await world.make(subject);
      const { outcome, effects } = await world.send(subject);
      if (effects.length > 0) {
        throw broken(
          `The second send of one request under one key made a second effect: ${made.externalId} and ${effects[0]?.externalId}. The key does not arrive, or the downstream does not heed it; then the contract's key is 'none'.`,
        );
      }
      if (outcome.kind === 'unknown') return;
      if (outcome.kind !== 'confirmed' && outcome.kind !== 'accepted') {
        throw broken(`${made.externalId} exists, and the same request again was told as ${told(outcome)}.`);
      }
      if (outcome.externalId !== made.externalId) {
        throw broken(`The first send made ${made.externalId}, and the same again names ${outcome.externalId}.`);
      }
      if (world.check.marksReplays === true && !(outcome.kind === 'accepted' && outcome.replayed)) {
        throw broken(
          `The answer was a stored copy and says so (marksReplays), and the outcome is ${told(outcome)}. A copy's status may be old: it is accepted, with replayed: true, and is read again first.`,
        );
      }
    },
  },
  {
    promise: 'one request that arrives twice makes one effect',
    notChecked: (world) => withoutKey(world) ?? needs(world, 'repeat-request'),
    check: async (world) => {
      const { effects } = await world.sendUnder({ kind: 'repeat-request' });
      if (effects.length > 1) {
        throw broken(
          `A request that the network repeated made ${counted(effects.length, 'effect')}: the downstream does not dedupe by the key, and the contract says that it does.`,
        );
      }
    },
  },
  {
    promise: 'an answer to our key that is about another request is noticed',
    notChecked: (world) => withoutKey(world) ?? (world.check.alter ? null : 'no alter is given'),
    check: async (world) => {
      const mark = world.newMark();
      const request = await world.check.request();
      const made = await world.make(world.subjectOf(request, mark));
      const { outcome, effects } = await world.send(world.subjectOf(world.check.alter?.(request), mark));
      if (effects.length > 0) {
        throw broken(`Another request under the same key made a second effect: ${effects[0]?.externalId}.`);
      }
      if (outcome.kind === 'confirmed' || outcome.kind === 'accepted') {
        throw broken(
          `The key had been used for another request, which made ${made.externalId}, and the outcome is ${told(outcome)}. ` +
            'Compare what the answer holds (target, amount, currency) with the stored request.',
        );
      }
    },
  },
];
