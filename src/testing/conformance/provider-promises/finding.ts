import type { DownstreamFault, FaultScope } from '../downstream';
import { needs } from '../needs';
import { broken, type CheckedPromise } from '../promise';
import { type ProviderWorld, type Subject, TENANT, told } from '../provider-world';

function withoutFind({ parts }: ProviderWorld): string | null {
  return parts.find === undefined ? 'the provider has no find' : null;
}

const FAILURES: readonly (readonly [what: string, fault: DownstreamFault])[] = [
  ['the answer to the query was lost', { kind: 'lose-answer', how: 'reset' }],
  ['the answer to the query was cut', { kind: 'cut-answer' }],
  ['the query was answered with HTTP 500', replaced(500, '{"error":{"message":"Something went wrong."}}')],
  ['the query was answered with HTTP 404', replaced(404, '<html><h1>Not Found</h1></html>', 'text/html')],
  ['the query was answered with HTML', replaced(200, '<html><h1>Maintenance</h1></html>', 'text/html')],
  ['the query was answered with an empty object', replaced(200, '{}')],
];

function replaced(status: number, body: string, type = 'application/json'): DownstreamFault {
  return { kind: 'answer', status, body, headers: { 'content-type': type }, carriedOut: false };
}

const ALWAYS = 1_000;

export const FINDING: readonly CheckedPromise<ProviderWorld>[] = [
  {
    promise: 'find shows what was made: by our ID, with its external ID, and as matching the stored request',
    notChecked: withoutFind,
    check: async (world) => {
      const subject = await world.newSubject();
      const made = await world.make(subject);
      for (const externalId of [null, made.externalId]) {
        const how = externalId === null ? 'by the operation ID' : 'by its external ID';
        const evidence = await world.find(subject, { externalId });
        const found = evidence.kind === 'found' ? evidence.effects : [];
        const ours = found.find((effect) => effect.externalId === made.externalId);
        if (ours === undefined) throw broken(`${made.externalId} was made, and find (${how}) gave ${told(evidence)}.`);
        if (ours.mismatch !== null) {
          throw broken(`find (${how}) says of ${made.externalId} that ${ours.mismatch}, and it is what was asked for.`);
        }
        if (found.length > 1) throw broken(`One effect was made, and find gave ${told(evidence)}.`);
        if (ours.key !== null && ours.key !== subject.key) {
          throw broken(`${made.externalId} was made under ${subject.key}, and find says under ${ours.key}.`);
        }
      }
    },
  },
  {
    promise: 'find takes no effect for ours that differs in what was asked for',
    notChecked: (world) => withoutFind(world) ?? (world.check.alter ? null : 'no alter is given'),
    check: async (world) => {
      const mark = world.newMark();
      const request = await world.check.request();
      const made = await world.make(world.subjectOf(request, mark));
      const evidence = await world.find(world.subjectOf(world.check.alter?.(request), mark));
      if (evidence.kind === 'inconclusive') return;
      const matching = evidence.kind === 'found' && evidence.effects.find(({ mismatch }) => mismatch === null);
      if (matching) {
        throw broken(
          `${made.externalId} bears our ID and is of another request, and find gave it as matching. Compare it with the stored request: target, amount and currency.`,
        );
      }
      if (evidence.kind === 'absent') {
        throw broken(
          `${made.externalId} bears our ID and is of another request, and find gave absent. It is found, with a mismatch.`,
        );
      }
    },
  },
  {
    promise: 'a complete query that shows nothing is absent',
    notChecked: withoutFind,
    check: async (world) => {
      const evidence = await world.find(await world.newSubject());
      if (evidence.kind !== 'absent') throw broken(`Nothing was ever sent, and find gave ${told(evidence)}.`);
    },
  },
  {
    promise: "find takes no other operation's effect for ours",
    notChecked: withoutFind,
    check: async (world) => {
      const mark = world.newMark();
      await world.make(await world.newSubject(world.markOf(`${mark.operationId}0`)));
      const evidence = await world.find(await world.newSubject(mark));
      if (evidence.kind !== 'absent') {
        throw broken(
          `An effect of ${mark.operationId}0 was made, and find of ${mark.operationId} gave ${told(evidence)}.`,
        );
      }
    },
  },
  {
    promise: "find takes no other tenant's effect for ours",
    notChecked: (world) => withoutFind(world) ?? (world.parts.sharedAccount ? null : 'its account is not shared'),
    check: async (world) => {
      const { operationId } = world.newMark();
      await world.make(await world.newSubject(world.markOf(operationId, 'other-tenant')));
      const evidence = await world.find(await world.newSubject(world.markOf(operationId)));
      if (evidence.kind !== 'absent') {
        throw broken(
          `The effect of other-tenant~${operationId} was made, and find for ${TENANT} gave ${told(evidence)}.`,
        );
      }
    },
  },
  {
    promise: 'a query that fails is inconclusive, and never absent',
    notChecked: (world) => withoutFind(world) ?? needs(world, 'lose-answer', 'cut-answer', 'answer'),
    check: async (world) => {
      const subject = await world.newSubject();
      await world.make(subject);
      for (const [what, fault] of FAILURES) {
        await neverAbsent(world, subject, fault, { times: ALWAYS }, what);
      }
    },
  },
  {
    promise: 'find reads every page: the first of many is found, and a list that ends early is inconclusive',
    notChecked: (world) =>
      withoutFind(world) ??
      needs(world, 'answer') ??
      (world.check.pageSize === undefined ? 'no pageSize is given' : null),
    check: async (world) => {
      const size = world.check.pageSize ?? 0;
      const request = await world.check.request();
      const first = world.subjectOf(request, world.newMark());
      const made = await world.make(first);
      for (let more = 0; more < size; more++) await world.make(world.subjectOf(request, world.newMark()));
      const last = world.subjectOf(request, world.newMark());
      const newest = await world.make(last);
      for (const [subject, { externalId }] of [
        [first, made],
        [last, newest],
      ] as const) {
        const evidence = await world.find(subject);
        if (evidence.kind === 'found' && evidence.effects.some((effect) => effect.externalId === externalId)) continue;
        throw broken(
          `${externalId} was made among ${size + 2} effects, and a page has ${size}: find gave ${told(evidence)}. It does not read every page.`,
        );
      }
      const fault = replaced(500, '{"error":{"message":"Something went wrong."}}');
      const scope = { times: ALWAYS, skip: 1 };
      for (const subject of [first, last]) {
        await neverAbsent(world, subject, fault, scope, 'the first page came and the second did not');
      }
    },
  },
];

async function neverAbsent(
  world: ProviderWorld,
  subject: Subject,
  fault: DownstreamFault,
  scope: FaultScope,
  what: string,
): Promise<void> {
  world.downstream.treatNext(fault, { of: 'question', ...scope });
  try {
    const evidence = await world.find(subject);
    if (evidence.kind === 'absent') {
      throw broken(
        `The effect exists, ${what}, and find gave absent. That lets the request be sent again, or closes it as never accepted: a query that is not complete is inconclusive.`,
      );
    }
  } finally {
    world.downstream.calm();
  }
}
