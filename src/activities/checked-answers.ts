import { inspect } from 'node:util';
import { z } from 'zod';
import type { Evidence } from '../operations/evidence';
import { type Outcome, shorten, type UnknownOutcome } from '../operations/outcome';

/** Far above what `shorten` leaves of an answer by itself; a row and a reply can take it. */
const TEXT_MAX = 10_000;

const text = z.string().transform((given) => shorten(given, TEXT_MAX));
const externalId = z.string().min(1);
const effectStatus = z.enum(['pending', 'succeeded', 'failed']);
const resend = z.enum(['allowed', 'pointless', 'unsafe']);
const retryAfterMs = z.number().nonnegative().exactOptional();
const receipt = z.object({ requestId: z.string().nullable(), httpStatus: z.number().nullable(), detail: text });

const OUTCOME: z.ZodType<Outcome> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirmed'), externalId, receipt }),
  z.object({
    kind: z.literal('accepted'),
    externalId,
    replayed: z.boolean(),
    status: effectStatus.exactOptional(),
    receipt,
  }),
  z.object({
    kind: z.literal('rejected'),
    covers: z.enum(['all', 'attempt']),
    code: text,
    message: text,
    externalId: externalId.nullable(),
    receipt,
  }),
  z.object({ kind: z.literal('not-submitted'), why: text, retryAfterMs, receipt }),
  z.object({
    kind: z.literal('unknown'),
    why: text,
    resend,
    alarm: text.pipe(z.string().min(1)).exactOptional(),
    receipt,
  }),
]);

const EVIDENCE: z.ZodType<Evidence> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('found'),
    complete: z.boolean(),
    effects: z
      .array(
        z.object({
          externalId,
          status: effectStatus,
          key: z.string().nullable(),
          mismatch: text.nullable(),
        }),
      )
      .min(1),
  }),
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('inconclusive'), why: text, retryAfterMs }),
]);

/**
 * What a provider's `send` gives. Providers are the user's code: an ID that is missing in an odd answer passes the
 * compiler, and what throws, throws at once or later. An outcome that cannot be recorded would leave the attempt open,
 * and every execution after it would send again; so whatever is no outcome is `unknown`.
 *
 * What throws said nothing: the contract of the key alone tells whether the same key may be sent again. What gave
 * something that cannot be read may have said that it must not be; so it is `unsafe`, unless it says what it allows.
 */
export async function checkedOutcome(send: () => Promise<unknown>): Promise<Outcome> {
  let given: unknown;
  try {
    given = await send();
  } catch (error) {
    return unknownOutcome(`The provider's code threw: ${messageOf(error)}`);
  }
  const { success, data } = OUTCOME.safeParse(given);
  return success ? data : malformedOutcome(given);
}

const SAYS_RESEND = z.object({ kind: z.literal('unknown'), resend });
const SAYS_ALARM = z.object({ alarm: z.unknown().refine((alarm) => alarm !== undefined) });

function malformedOutcome(given: unknown): Outcome {
  const outcome = unknownOutcome(`The provider's code gave no outcome: ${inspect(given)}`);
  return {
    ...outcome,
    resend: SAYS_RESEND.safeParse(given).data?.resend ?? 'unsafe',
    // An alarm is never hidden (rule 11), whatever is odd about it or about the rest.
    ...(SAYS_ALARM.safeParse(given).success && {
      alarm: 'The provider raised an alarm in an answer that is no outcome.',
    }),
  };
}

/** What a provider's `find` gives; whatever is no evidence is `inconclusive`. */
export async function checkedEvidence(find: () => Promise<unknown>): Promise<Evidence> {
  try {
    const given = await find();
    const { success, data } = EVIDENCE.safeParse(given);
    return success ? data : inconclusive(`The provider's code gave no evidence: ${inspect(given)}`);
  } catch (error) {
    return inconclusive(messageOf(error));
  }
}

export function unknownOutcome(why: string): UnknownOutcome {
  const detail = shorten(why);
  return { kind: 'unknown', why: detail, resend: 'allowed', receipt: { requestId: null, httpStatus: null, detail } };
}

function inconclusive(why: string): Evidence {
  return { kind: 'inconclusive', why: shorten(why) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error);
}
