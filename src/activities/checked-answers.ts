import { inspect } from 'node:util';
import { z } from 'zod';
import type { Evidence } from '../operations/evidence';
import { type Outcome, shorten } from '../operations/outcome';

/** Far above what `shorten` leaves of an answer by itself; a row and a reply can take it. */
const TEXT_MAX = 10_000;

const text = z.string().transform((given) => shorten(given, TEXT_MAX));
const externalId = z.string().min(1);
const receipt = z.object({ requestId: z.string().nullable(), httpStatus: z.number().nullable(), detail: text });

const OUTCOME: z.ZodType<Outcome> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirmed'), externalId, receipt }),
  z.object({ kind: z.literal('accepted'), externalId, replayed: z.boolean(), receipt }),
  z.object({
    kind: z.literal('rejected'),
    covers: z.enum(['all', 'attempt']),
    code: text,
    message: text,
    externalId: externalId.nullable(),
    receipt,
  }),
  z.object({ kind: z.literal('not-submitted'), why: text, receipt }),
  z.object({ kind: z.literal('unknown'), why: text, resend: z.enum(['allowed', 'pointless', 'unsafe']), receipt }),
]);

const EVIDENCE: z.ZodType<Evidence> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('found'),
    complete: z.boolean(),
    effects: z
      .array(
        z.object({
          externalId,
          status: z.enum(['pending', 'succeeded', 'failed']),
          key: z.string().nullable(),
          mismatch: text.nullable(),
        }),
      )
      .min(1),
  }),
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('inconclusive'), why: text }),
]);

/**
 * What a provider's `send` gives. Providers are the user's code: an ID that is missing in an odd answer passes the
 * compiler, and what throws, throws at once or later. An outcome that cannot be recorded would leave the attempt open,
 * and every execution after it would send again; so whatever is no outcome is `unknown`.
 */
export async function checkedOutcome(send: () => Promise<unknown>): Promise<Outcome> {
  try {
    const given = await send();
    const { success, data } = OUTCOME.safeParse(given);
    return success ? data : unknownOutcome(`The provider's code gave no outcome: ${inspect(given)}`);
  } catch (error) {
    return unknownOutcome(`The provider's code threw: ${messageOf(error)}`);
  }
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

export function unknownOutcome(why: string): Outcome {
  const detail = shorten(why);
  return { kind: 'unknown', why: detail, resend: 'allowed', receipt: { requestId: null, httpStatus: null, detail } };
}

function inconclusive(why: string): Evidence {
  return { kind: 'inconclusive', why: shorten(why) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error);
}
