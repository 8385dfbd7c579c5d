interface WebhookType {
  /** The cost of one delivery; 0: it is free. */
  readonly credits: number;
  /** The place among the changes of one record. Cursors contain it: never change it; a new type gets the next number. */
  readonly order: number;
}

/** The event types of webhooks. The code that detects them is in `src/read-models/change-feed/mappers/`. */
export const WEBHOOK_TYPES = {
  score: { credits: 0, order: 1 },
  status: { credits: 0, order: 0 },
  line_move: { credits: 0, order: 2 },
  intelligence: { credits: 0, order: 4 },
  injury: { credits: 0.5, order: 3 },
  identity: { credits: 0, order: 5 },
  event_start: { credits: 0, order: 6 },
  event_final: { credits: 0, order: 7 },
  steam: { credits: 0, order: 8 },
  new_price: { credits: 0, order: 9 },
  ev: { credits: 0, order: 10 },
  arbitrage: { credits: 0, order: 11 },
} as const satisfies Record<string, WebhookType>;

export type WebhookEventType = keyof typeof WEBHOOK_TYPES;
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_TYPES) as readonly WebhookEventType[] as readonly [
  WebhookEventType,
  ...WebhookEventType[],
];

/** The types that `/v1/changes` and streams tell. The others are derived from them, and told to subscriptions alone. */
export const CHANGE_TYPES = [
  'score',
  'status',
  'line_move',
  'intelligence',
  'injury',
  'identity',
] as const satisfies readonly WebhookEventType[];
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The prices of deliveries as text. */
export function describeDeliveryCosts(
  types: Readonly<Record<string, Pick<WebhookType, 'credits'>>> = WEBHOOK_TYPES,
): string {
  const paid = Object.entries(types).filter(([, { credits }]) => credits > 0);
  if (paid.length === 0) return 'Deliveries cost nothing.';
  const prices = paid.map(([type, { credits }]) => `of \`${type}\` cost ${credits} credits each`);
  return `Deliveries ${prices.join(', ')}, the others nothing.`;
}
