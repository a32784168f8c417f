import { webhookSignature } from '../../src/testing/fake-stripe/webhook-signature';

export const WEBHOOK_SECRET = 'whsec_right';

/** A text as Stripe would post it: signed now, unless it says otherwise. */
export interface SignedPost {
  readonly secret?: string;
  /** Seconds since the Unix epoch. */
  readonly timestamp?: number;
}

export function signatureOf(body: string, { secret = WEBHOOK_SECRET, timestamp = nowS() }: SignedPost = {}): string {
  return webhookSignature(body, secret, timestamp);
}

export interface PostAnswer {
  readonly status: number;
  readonly body: unknown;
}

export async function postWebhook(url: string, body: string, signed: SignedPost = {}): Promise<PostAnswer> {
  const answer = await fetch(url, { method: 'POST', headers: { 'Stripe-Signature': signatureOf(body, signed) }, body });
  return { status: answer.status, body: await answer.json() };
}

function nowS(): number {
  return Math.floor(Date.now() / 1_000);
}
