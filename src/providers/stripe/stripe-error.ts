import { z } from 'zod';

/** Stripe's error body (docs.stripe.com/api/errors). `type` is always there; without it the answer is somebody else's. */
const errorShape = z.object({
  error: z.object({
    type: z.string().min(1),
    code: z.string().nullish(),
    message: z.string().nullish(),
    param: z.string().nullish(),
  }),
});

export interface StripeErrorBody {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
  readonly param: string | null;
}

/** Null for anything that is not Stripe's error. */
export function readStripeError(json: unknown): StripeErrorBody | null {
  const error = errorShape.safeParse(json).data?.error;
  if (error === undefined) return null;
  const { type, code, message, param } = error;
  return { type, code: code ?? null, message: message ?? '', param: param ?? null };
}
