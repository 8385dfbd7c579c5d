/** What a subscription can be told of. */
export const WEBHOOK_EVENT_TYPES = ['score', 'status', 'line_move', 'intelligence', 'injury'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
