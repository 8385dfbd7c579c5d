import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DAY, HOUR } from '../src/domain/primitives/time.ts';
import { seeded } from './event-history.ts';

/** A season of the NFL whose games many books price. */
export interface PricedSeason {
  readonly weeks: number;
  /** At most 16. */
  readonly gamesPerWeek: number;
  readonly books: readonly string[];
  /** Reports of each book on each game, in the six days before it, of all three markets. */
  readonly reports: number;
  /**
   * The share of a book's reports that move a market. In 4,961 pairs of following snapshots of college basketball by
   * bookmakers of November and December 2025 it was .225.
   */
  readonly moved: number;
}

export const TEN_BOOKS = 'pinnacle,bet365,draftkings,fanduel,betmgm,caesars,unibet,betrivers,bovada,betonlineag'.split(
  ',',
);

const FIRST = Date.UTC(2025, 8, 7, 17);
/** The first and the last day of the season, for `--from` and `--to`. */
export const SEASON_DAYS = ['2025-08-30', '2026-02-28'] as const;
const NFL = { sport: 'nfl', league: 'nfl' };

export const gamesOf = ({ weeks, gamesPerWeek }: PricedSeason): number => weeks * gamesPerWeek;
/** A schedule, a result and the reports of the books. */
export const messagesOf = (season: PricedSeason): number =>
  gamesOf(season) * (2 + season.books.length * season.reports);
/** Six outcomes in each report, and the status and the score at the end. */
export const changesOf = (season: PricedSeason): number =>
  gamesOf(season) * (2 + 6 * season.books.length * season.reports);

/** Writes the season as NDJSON. Every message is the same for the same season. */
export async function writeSeason(file: string, season: PricedSeason): Promise<void> {
  function* games() {
    for (let week = 0; week < season.weeks; week++)
      for (let game = 0; game < season.gamesPerWeek; game++)
        yield `${gameMessages(season, week, game)
          .map((message) => JSON.stringify(message))
          .join('\n')}\n`;
  }
  await pipeline(Readable.from(games()), createWriteStream(file));
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

function gameMessages({ books, reports, moved }: PricedSeason, week: number, game: number): object[] {
  const random = seeded(week * 100 + game);
  const ref = `${week}/${game}`;
  const start = FIRST + week * 7 * DAY + (game % 4) * 3 * HOUR;
  const sides = [game * 2, ((game + week) * 2 + 1) % 32];
  const participants = sides.map((side, index) => ({
    role: index === 0 ? 'home' : 'away',
    ref: String(side),
    name: `Team ${side}`,
  }));
  const own = { source: 'bench', ref };
  const messages: object[] = [
    { kind: 'schedule', at: time(start - 60 * DAY), ...own, ...NFL, starts_at: time(start), participants },
  ];
  const line = {
    spread: Math.round(random() * 20 - 10) / 2,
    total: 40 + Math.round(random() * 20) / 2,
    home: random(),
  };
  const every = (6 * DAY) / reports;
  const shown = new Map<string, ReturnType<typeof marketsOf>>();
  for (let report = 0; report < reports; report++) {
    for (const [index, bookmaker] of books.entries()) {
      const at = start - 6 * DAY + report * every + (index * every) / books.length;
      if (random() < moved / 10) line.spread += random() < 0.5 ? -0.5 : 0.5;
      const before = shown.get(bookmaker);
      const markets = marketsOf(line, random).map((market, place) =>
        before && random() >= moved ? before[place]! : market,
      );
      shown.set(bookmaker, markets);
      messages.push({ kind: 'odds', at: time(at), ...own, bookmaker, markets });
    }
  }
  const points = [10 + Math.floor(random() * 25), 10 + Math.floor(random() * 25)];
  if (points[0] === points[1]) points[0]!++;
  const scores = points.map((score, index) => ({ role: index === 0 ? 'home' : 'away', score: String(score) }));
  messages.push({ kind: 'score', at: time(start + 3 * HOUR), ...own, status: 'final', scores });
  return messages;
}

function marketsOf({ spread, total, home }: { spread: number; total: number; home: number }, random: () => number) {
  const juice = () => -100 - Math.round(random() * 20);
  const favourite = -110 - Math.round(home * 90);
  return [
    { key: 'h2h', outcomes: [side('home', favourite), side('away', -favourite - 15 - Math.round(random() * 5))] },
    { key: 'spreads', outcomes: [side('home', juice(), spread), side('away', juice(), 0 - spread)] },
    { key: 'totals', outcomes: [side('over', juice(), total), side('under', juice(), total)] },
  ];
}

/** A price of at most -100, or at least 100. */
const side = (outcome: string, price: number, point?: number) => ({
  outcome,
  price: Math.abs(price) < 100 ? 100 : price,
  ...(point === undefined ? {} : { point }),
});
