/**
 * A double of Polymarket's protocols, not of Polymarket: answers in the shapes that its public documentation describes.
 * No text of the provider is in it.
 */
type Json = Record<string, unknown>;

const TEAMS = [
  { name: 'Los Angeles Lakers', abbreviation: 'lal', alias: 'Lakers', ordering: 'away' },
  { name: 'Golden State Warriors', abbreviation: 'gsw', alias: 'Warriors', ordering: 'home' },
];

/** Lists stand inside of texts. */
const market = (
  id: string,
  type: string,
  outcomes: readonly string[],
  tokens: readonly string[],
  more: Json,
): Json => ({
  id,
  sportsMarketType: type,
  outcomes: JSON.stringify(outcomes),
  clobTokenIds: JSON.stringify(tokens),
  gameStartTime: '2026-12-01 03:00:00+00',
  acceptingOrders: true,
  closed: false,
  volume: '25013.4',
  feesEnabled: true,
  feeSchedule: { rate: 0.03, exponent: 1, takerOnly: true },
  ...more,
});

export const moneyline = (more: Json = {}): Json =>
  market('70001', 'moneyline', ['Lakers', 'Warriors'], ['111', '222'], {
    question: 'Lakers vs. Warriors',
    description:
      'If the Lakers win, the market will resolve to "Lakers". If the Warriors win, the market will resolve to "Warriors".',
    ...more,
  });
export const total = (more: Json = {}): Json =>
  market('70002', 'totals', ['Over', 'Under'], ['333', '444'], {
    question: 'Lakers vs. Warriors: O/U 224.5',
    line: 224.5,
    ...more,
  });
export const spread = (more: Json = {}): Json =>
  market('70003', 'spreads', ['Warriors', 'Lakers'], ['555', '666'], {
    question: 'Spread: Warriors (-4.5)',
    line: -4.5,
    ...more,
  });

export const nbaEvent = (markets: readonly Json[], more: Json = {}): Json => ({
  id: '9001',
  slug: 'nba-lal-gsw-2026-11-30',
  title: 'Lakers vs. Warriors',
  startTime: '2026-12-01T03:00:00Z',
  teams: TEAMS,
  markets,
  ...more,
});

export const soccerEvent = (markets: readonly Json[]): Json => ({
  slug: 'epl-ars-che-2026-11-30',
  startTime: '2026-11-30T15:00:00Z',
  teams: [
    { name: 'Arsenal FC', abbreviation: 'ars', alias: 'Arsenal', ordering: 'home' },
    { name: 'Chelsea FC', abbreviation: 'che', alias: 'Chelsea', ordering: 'away' },
  ],
  markets,
});
export const question = (id: string, text: string, more: Json = {}): Json =>
  market(id, 'moneyline', ['Yes', 'No'], [`${id}1`, `${id}2`], {
    question: text,
    gameStartTime: '2026-11-30 15:00:00+00',
    ...more,
  });

/** Bids ascend and asks descend: the best of each is last. */
export const bookAnswer = (
  token: string,
  bids: readonly (readonly [string, string])[],
  asks: readonly (readonly [string, string])[],
): Json => ({
  asset_id: token,
  timestamp: '1796094000123',
  bids: bids.map(([price, size]) => ({ price, size })),
  asks: asks.map(([price, size]) => ({ price, size })),
});
