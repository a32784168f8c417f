import { createHmac } from 'node:crypto';

/** The value of `Stripe-Signature`. `timestamp` in seconds; it is signed together with the body's exact text. */
export function webhookSignature(body: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
