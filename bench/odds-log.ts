import type { PricedMarket, PricedOutcome, PricesContent } from '../src/domain/odds/bookmaker-prices.ts';
import { formatTime, MINUTE } from '../src/domain/primitives/time.ts';
import { type DomainEvent, partitions, streams } from '../src/domain/streams/domain-events.ts';
import type { EventLog } from '../src/event-log/port/event-log.ts';

/** Books that price every event, and how many price records an event gets in its life. */
export const BOOKS = ['pinnacle', 'bet365', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'unibet', 'betrivers'];
export const RECORDS_PER_EVENT = 1500;
export interface OddsLogShape {
  /** Events that are priced at the same time. */
  readonly atOnce: number;
  readonly recordsPerEvent: number;
  /** Ids up to this one are others'; default 0. */
  readonly after?: number;
}

/** A day's events side by side, day after day. */
const DAYS: OddsLogShape = { atOnce: 50, recordsPerEvent: RECORDS_PER_EVENT };
const SPORT = { sport: 'basketball', league: 'nba' };
const FIRST = Date.parse('2025-01-01T00:00:00Z');

/** What the log must amount to. */
export interface OddsLog {
  readonly events: number;
  /** `EventScheduled` and `PricesChanged` together. */
  readonly records: number;
  readonly prices: number;
  /** The last content of each bookmaker on each event, by `EVENTID:BOOKMAKER`. */
  readonly last: ReadonlyMap<string, PricesContent>;
}

/**
 * Writes a log of so many odds records: a day's events side by side, whose lines eight bookmakers move in three
 * markets, as the deciders would record them. Repeatable.
 */
export async function writeOddsLog(
  log: EventLog,
  prices: number,
  { atOnce, recordsPerEvent, after = 0 }: OddsLogShape = DAYS,
): Promise<OddsLog> {
  const random = seeded(prices);
  const last = new Map<string, PricesContent>();
  let events = 0;
  let written = 0;
  while (written < prices) {
    const day = Math.min(atOnce, Math.ceil((prices - written) / recordsPerEvent));
    const ids = Array.from({ length: day }, (_, index) => after + events + index + 1);
    events += day;
    await append(
      log,
      ids.map((id) => [streams.event(id), scheduled(id)]),
    );
    const ofDay = Math.min(prices - written, day * recordsPerEvent);
    let batch: [string, DomainEvent][] = [];
    for (let n = 0; n < ofDay; n++) {
      const id = ids[n % day]!;
      // Each event meets each bookmaker in turn.
      const bookmaker = BOOKS[Math.floor(n / day) % BOOKS.length]!;
      const key = `${id}:${bookmaker}`;
      const content = { bookmaker, markets: moved(last.get(key)?.markets ?? opening(random), random) };
      last.set(key, content);
      batch.push([streams.odds(id), changed(id, FIRST + written * 100 + n * 100, content)]);
      if (batch.length === 2000 || n === ofDay - 1) {
        await append(log, batch);
        batch = [];
      }
    }
    written += ofDay;
  }
  return { events, records: events + prices, prices, last };
}

/** So many price records of one event. */
export function priceEvents(count: number): DomainEvent[] {
  const random = seeded(count);
  let markets = opening(random);
  return Array.from({ length: count }, (_, n) => {
    markets = moved(markets, random);
    return changed(1, FIRST + n * 1000, { bookmaker: BOOKS[n % BOOKS.length]!, markets });
  });
}

async function append(log: EventLog, batch: readonly (readonly [string, DomainEvent])[]): Promise<void> {
  const byStream = new Map<string, DomainEvent[]>();
  for (const [stream, event] of batch) byStream.set(stream, [...(byStream.get(stream) ?? []), event]);
  await log.appendAll([...byStream].map(([stream, events]) => ({ stream, events, expected: 'any' })));
}

function opening(random: () => number): PricedMarket[] {
  const market = { scope: 'match', alternate: false, complete: true } as const;
  const spread = -6 + Math.floor(random() * 24) / 2;
  const total = 210 + Math.floor(random() * 40) / 2;
  return [
    { key: 'h2h', ...market, outcomes: [priced('home', -110), priced('away', -110)] },
    { key: 'spreads', ...market, outcomes: [priced('home', -110, spread), priced('away', -110, 0 - spread)] },
    { key: 'totals', ...market, outcomes: [priced('over', -110, total), priced('under', -110, total)] },
  ];
}

/** One of the markets moves; bookmakers send the others with it. */
function moved(markets: readonly PricedMarket[], random: () => number): PricedMarket[] {
  const which = Math.floor(random() * markets.length);
  const price = 100 + Math.floor(random() * 60);
  return markets.map((market, index) => {
    if (index !== which) return market;
    const [one, other] = market.outcomes as [PricedOutcome, PricedOutcome];
    return {
      ...market,
      outcomes: [
        { ...one, price: 0 - price - 10 },
        { ...other, price },
      ],
    };
  });
}

type Name = PricedMarket['outcomes'][number]['outcome'];
const priced = (outcome: Name, price: number, point?: number) =>
  point === undefined ? { outcome, price } : { outcome, price, point };

function changed(eventId: number, time: number, content: PricesContent): DomainEvent {
  const origin = { ref: `nba:2025-01-01:${eventId}` };
  const data = { at: formatTime(time), source: 'bench', content, eventId, ...SPORT, origin };
  return { type: 'PricesChanged', version: 1, data, meta: { partition: partitions.event(eventId) } };
}

function scheduled(eventId: number): DomainEvent {
  const side = (id: number) => ({
    key: `team:${id}`,
    id,
    name: `Team ${id}`,
    abbreviation: null,
    country_code: null,
    placeholder: false,
  });
  const starts = formatTime(FIRST + eventId * MINUTE);
  const content = { starts_at: starts, sides: [side(eventId * 2), side(eventId * 2 + 1)] as const };
  const data = { at: formatTime(FIRST), source: 'bench', content, eventId, ...SPORT };
  return { type: 'EventScheduled', version: 1, data, meta: { partition: partitions.event(eventId) } };
}

/** mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
