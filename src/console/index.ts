/** The entry `sendonce/console`: the webhook door, for outcomes that a provider tells by itself. */
export { startWebhookDoor, type WebhookDoor, type WebhookDoorOptions } from './start-webhook-door';
export type { WebhookCounts, WebhookResult } from './webhook-counts';
export { WebhookMissingError } from './webhook-providers';
