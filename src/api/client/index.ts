/** The client of Ledgerline's API, for Node and for browsers. */
export { type Client, type ClientOptions, createClient } from './create-client.ts';
export type * from './generated/api-types.ts';
export { type EnvelopeError, LedgerlineError } from './ledgerline-error.ts';
export type { CallOptions } from './request-of.ts';
export { verifyWebhook, type WebhookHeaders, type WebhookMessage } from './verify-webhook.ts';
