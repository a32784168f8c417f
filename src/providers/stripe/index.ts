/** The entry `sendonce/providers/stripe`: refunds through Stripe. Needs the package `stripe`. */
export type { StripeRefundRequest } from './refund-request';
export { type StripeClient, type StripeClientConfig, StripeClientUnsuitableError } from './stripe-client';
export type { StripeContractOverrides } from './stripe-contract';
export { type StripeRefundsOptions, stripeRefunds } from './stripe-refunds';
