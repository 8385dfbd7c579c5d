/** The prices of one event's books as a feed tells them over time: a generated history, and what is known of it. */

const BOOKS = ['pinnacle', 'bet365', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'unibet', 'betrivers'];
const START = Date.parse('2026-01-05T00:00:00Z');
const EVERY_MS = 20_000;

export interface PriceMessage {
  readonly book: string;
  /** Milliseconds. */
  readonly at: number;
  readonly home: number;
  readonly total: number;
  readonly message: Readonly<Record<string, unknown>>;
}

export const schedule = (ref: string) => ({
  kind: 'schedule',
  source: 'bench',
  at: new Date(START - 3_600_000).toISOString(),
  sport: 'nfl',
  league: 'nfl',
  ref,
  starts_at: new Date(START + 7 * 86_400_000).toISOString(),
  participants: [
    { role: 'home', name: `Home ${ref}`, abbreviation: 'HOM' },
    { role: 'away', name: `Away ${ref}`, abbreviation: 'AWY' },
  ],
});

/**
 * `count` messages of eight books in turn, each with its three main lines: one in twenty repeats its book's prices,
 * one in a hundred was held up by some hours. In the order of arrival.
 * @param random from 0 to 1, without 1
 */
export function oddsHistory(ref: string, count: number, random: () => number): PriceMessage[] {
  const arrivals: { readonly place: number; readonly one: PriceMessage }[] = [];
  const last = new Map<string, PriceMessage>();
  for (let n = 0; n < count; n++) {
    const book = BOOKS[n % BOOKS.length]!;
    const before = last.get(book);
    const repeats = before !== undefined && random() < 0.05;
    const home = repeats ? before.home : -200 + Math.floor(random() * 90);
    const total = repeats ? before.total : 40 + Math.floor(random() * 20) / 2;
    const at = START + n * EVERY_MS;
    const one = { book, at, home, total, message: messageOf(ref, book, at, home, total) };
    last.set(book, one);
    arrivals.push({ place: n + (random() < 0.01 ? Math.floor(random() * 500) : 0), one });
  }
  return arrivals.sort((a, b) => a.place - b.place).map(({ one }) => one);
}

function messageOf(ref: string, bookmaker: string, at: number, home: number, total: number) {
  const sides = (point: number) => [
    { outcome: 'home', price: -110, point },
    { outcome: 'away', price: -110, point: -point },
  ];
  return {
    kind: 'odds',
    source: 'bench',
    at: new Date(at).toISOString(),
    ref,
    bookmaker,
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', price: home },
          { outcome: 'away', price: 100 - home },
        ],
      },
      { key: 'spreads', outcomes: sides((total - 45) / 2) },
      { key: 'totals', outcomes: ['over', 'under'].map((outcome) => ({ outcome, price: -110, point: total })) },
    ],
  };
}

/** What an answer's odds must show where these messages are known: the newest of each book. */
export function expectedPrices(known: Iterable<PriceMessage>): Map<string, PriceMessage> {
  const newest = new Map<string, PriceMessage>();
  for (const one of known) if (one.at > (newest.get(one.book)?.at ?? 0)) newest.set(one.book, one);
  return newest;
}

/** @throws Error when the odds of an answer (the `Odds` of the specification) are not these */
export function checkPrices(odds: any, expected: ReadonlyMap<string, PriceMessage>): void {
  if (odds.bookmakers.length !== expected.size) {
    throw new Error(`${odds.bookmakers.length} books where ${expected.size} are known`);
  }
  for (const { bookmaker, captured_at, markets } of odds.bookmakers) {
    const known = expected.get(bookmaker);
    const priceOf = (key: string) => markets.find((market: any) => market.key === key)?.outcomes[0];
    const shown = [Date.parse(captured_at), priceOf('h2h')?.price, priceOf('totals')?.point];
    const wanted = [known?.at, known?.home, known?.total];
    if (String(shown) !== String(wanted)) throw new Error(`${bookmaker} shows ${shown} instead of ${wanted}`);
  }
}
