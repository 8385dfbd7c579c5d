/**
 * A double of Kalshi's protocol, not of Kalshi: answers in the shapes that its public documentation describes. No text
 * of the provider is in it.
 */
type Json = Record<string, unknown>;

/** The Lakers play at Golden State on 30 November, by the names that the venue has for them. */
export const GAME = 'KXNBAGAME-26NOV30LALGSW';
export const NBA_GAME_RULES =
  'the Los Angeles L at Golden State professional basketball game originally scheduled for Nov 30, 2026';

export const kalshiMarket = (ticker: string, side: string, more: Json = {}): Json => ({
  ticker,
  event_ticker: ticker.split('-').slice(0, 2).join('-'),
  market_type: 'binary',
  status: 'active',
  result: '',
  yes_sub_title: side,
  no_sub_title: side,
  rules_primary: `If ${side} wins ${NBA_GAME_RULES}, then the market resolves to Yes.`,
  last_price_dollars: '0.4100',
  volume_fp: '25013.00',
  occurrence_datetime: null,
  expected_expiration_time: '2026-12-01T06:00:00Z',
  close_time: '2026-12-15T03:00:00Z',
  ...more,
});

export const lakers = (more: Json = {}): Json => kalshiMarket(`${GAME}-LAL`, 'Los Angeles L', more);
export const warriors = (more: Json = {}): Json => kalshiMarket(`${GAME}-GSW`, 'Golden State', more);

export const total = (strike: number, more: Json = {}): Json =>
  kalshiMarket(`KXNBATOTAL-26NOV30LALGSW-${Math.ceil(strike)}`, `Over ${strike} points scored`, {
    rules_primary: `If the teams in ${NBA_GAME_RULES} collectively score more than ${strike} points, then the market resolves to Yes.`,
    floor_strike: strike,
    ...more,
  });

export const spread = (code: string, side: string, strike: number, more: Json = {}): Json =>
  kalshiMarket(`KXNBASPREAD-26NOV30LALGSW-${code}${Math.ceil(strike)}`, `${side} wins by over ${strike} points`, {
    rules_primary: `If ${side} wins ${NBA_GAME_RULES} by more than ${strike} points, then the market resolves to Yes.`,
    floor_strike: strike,
    ...more,
  });

export const eventsAnswer = (markets: readonly Json[], cursor = ''): Json => ({
  events: [{ event_ticker: GAME, series_ticker: 'KXNBAGAME', title: 'Los Angeles L at Golden State', markets }],
  cursor,
});

type Levels = readonly (readonly [string, string])[];
/** Only bids: of Yes and of No, the best last. */
export const booksAnswer = (books: Readonly<Record<string, { yes: Levels; no: Levels }>>): Json => ({
  orderbooks: Object.entries(books).map(([ticker, { yes, no }]) => ({
    ticker,
    orderbook_fp: { yes_dollars: yes, no_dollars: no },
  })),
});
