import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Odds of many events, as a live feed brings them: each round has one message of each event, from the next book. */

export const TICK_BOOKS = [
  'draftkings',
  'fanduel',
  'betmgm',
  'caesars',
  'pinnacle',
  'bet365',
  'betrivers',
  'pointsbet',
  'unibet',
  'bovada',
];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface TickedEvents {
  /** Begins the refs and names of these events, and tells them from others. */
  readonly name: string;
  readonly events: number;
  /** Rounds in the file. */
  readonly rounds: number;
  /** Milliseconds: the file's rounds lie a minute apart, and end an hour before. */
  readonly now: number;
}

export const messagesOf = ({ events, rounds }: TickedEvents): number => events * (1 + rounds);

/** Writes schedules, then every round, as NDJSON. @param isScheduled without schedules nobody knows these events */
export async function writeTicks(file: string, ticked: TickedEvents, isScheduled = true): Promise<void> {
  const { events, rounds, now } = ticked;
  const begin = now - HOUR - rounds * MINUTE;
  function* pieces() {
    for (let event = 0; isScheduled && event < events; event++) {
      yield `${JSON.stringify(scheduleOf(ticked, event, begin))}\n`;
    }
    for (let round = 0; round < rounds; round++) {
      const at = begin + round * MINUTE;
      let lines = '';
      for (let event = 0; event < events; event++) lines += `${tickOf(ticked, event, round, at)}\n`;
      yield lines;
    }
  }
  await pipeline(Readable.from(pieces()), createWriteStream(file));
}

export function scheduleOf({ name, now }: TickedEvents, event: number, begin: number) {
  return {
    kind: 'schedule',
    source: 'bench',
    at: new Date(begin - HOUR).toISOString(),
    sport: 'nba',
    league: 'nba',
    ref: `${name}${event}`,
    starts_at: new Date(now + (1 + (event % 24)) * HOUR).toISOString(),
    participants: [
      { role: 'home', name: `Home ${name} ${event}` },
      { role: 'away', name: `Away ${name} ${event}` },
    ],
  };
}

/** Differs from what the same book told of the event ten rounds before. */
const priceOf = (event: number, round: number): number => -105 - ((round * 7 + event) % 60);

/** One message as a line. */
export function tickOf({ name }: TickedEvents, event: number, round: number, at: number): string {
  const home = priceOf(event, round);
  const point = (round % 20) / 2 - 4.5;
  const total = 210 + (round % 20) / 2;
  return JSON.stringify({
    kind: 'odds',
    source: 'bench',
    at: new Date(at).toISOString(),
    ref: `${name}${event}`,
    bookmaker: TICK_BOOKS[round % TICK_BOOKS.length],
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', price: home },
          { outcome: 'away', price: -home - 4 },
        ],
      },
      {
        key: 'spreads',
        outcomes: [
          { outcome: 'home', price: -110, point },
          { outcome: 'away', price: -110, point: -point },
        ],
      },
      { key: 'totals', outcomes: ['over', 'under'].map((outcome) => ({ outcome, price: -110, point: total })) },
    ],
  });
}

/** A change of an event's score as a line. */
export function scoreOf({ name }: TickedEvents, event: number, points: number, at: number): string {
  return JSON.stringify({
    kind: 'score',
    source: 'bench',
    at: new Date(at).toISOString(),
    ref: `${name}${event}`,
    status: 'inprogress',
    period: '1',
    scores: ['home', 'away'].map((role) => ({ role, score: String(role === 'home' ? points : 0) })),
  });
}

/**
 * @param odds an answer's odds of all books (the `Odds` of the specification)
 * @param rounds how many the event has had
 * @throws Error where a book's price is not that of its last round
 */
export function checkTicked(odds: any, event: number, rounds: number): void {
  const expected = new Map<string, number>();
  for (let round = Math.max(0, rounds - TICK_BOOKS.length); round < rounds; round++) {
    expected.set(TICK_BOOKS[round % TICK_BOOKS.length]!, priceOf(event, round));
  }
  const shown = new Map<string, number>();
  for (const { bookmaker, markets } of odds.bookmakers) {
    shown.set(bookmaker, markets.find(({ key }: any) => key === 'h2h')?.outcomes[0].price);
  }
  for (const [book, price] of expected) {
    if (shown.get(book) !== price) throw new Error(`${book} shows ${shown.get(book)} of ${event} instead of ${price}`);
  }
}
