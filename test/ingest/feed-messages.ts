export type Message = Record<string, unknown>;

const event = { sport: 'nfl', league: 'nfl', starts_at: '2026-09-10T18:00:00Z' };
const participants = [
  { role: 'home', name: 'Chiefs' },
  { role: 'away', name: 'Bills' },
];
/** When every test about these messages plays: after the last of them. */
export const LATER = Date.parse('2026-09-11T00:00:00Z');

/** Minutes after the start of the game. */
export const minute = (n: number): string => new Date(Date.parse(event.starts_at) + n * 60_000).toISOString();

/** One game, as a source has it. */
export const scheduleOf = (source: string, more: Message = {}): Message => ({
  kind: 'schedule',
  source,
  at: '2026-09-01T00:00:00Z',
  ref: `${source}-1`,
  ...event,
  participants,
  ...more,
});

/** The score of that game, by the source's own id of it. */
export const scoreOf = (source: string, n: number, points: number): Message => ({
  kind: 'score',
  source,
  at: minute(n),
  ref: `${source}-1`,
  status: 'inprogress',
  scores: [{ role: 'home', score: String(points) }],
});

/** The score of that game, by the names of its sides alone. */
export const scoreByMatch = (source: string, n: number): Message => ({
  kind: 'score',
  source,
  at: minute(n),
  match: { ...event, home: 'Chiefs', away: 'Bills' },
  status: 'inprogress',
});

/** The order book of a venue on the home side: asks from a price on, and bids below it. */
export const bookOf = (source: string, n: number, price: number, size: number, more: object = {}): Message => ({
  kind: 'book',
  source,
  at: minute(n),
  ref: `${source}-1`,
  venue: 'v',
  markets: [
    {
      key: 'h2h',
      outcomes: [
        {
          outcome: 'home',
          asks: [
            [price, size],
            [price + 0.02, 40],
          ],
          bids: [[price - 0.02, 300]],
        },
      ],
      ...more,
    },
  ],
});
export const pricesOf = (source: string, n: number, price: number, bookmaker = 'b'): Message => ({
  kind: 'odds',
  source,
  at: minute(n),
  ref: `${source}-1`,
  bookmaker,
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price }] }],
});
