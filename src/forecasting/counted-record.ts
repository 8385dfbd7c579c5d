import { SPORT_SLUGS, type SportSlug } from '../domain/catalogue.ts';
import { formatDate } from '../domain/time.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { EventStory } from '../intelligence/facts/event-story.ts';
import type { JudgedGame } from '../intelligence/judging/judged-games.ts';
import { MarketRecord, type SeasonRow } from '../intelligence/judging/market-record.ts';
import { publicationsOf, type SettledSelection } from '../intelligence/judging/publications.ts';
import { MODEL_VERSION } from '../intelligence/models/index.ts';
import type { ReferenceWeight } from '../intelligence/prices/books.ts';
import { QUOTED_MARKETS, type QuotedMarket } from '../intelligence/prices/quotes.ts';
import { breathe } from '../platform/time/breathe.ts';
import { judgeLog } from './judged-log.ts';

/** What the forecasts were worth by all that was told before a UTC midnight. Plain JSON. */
export interface CountedRecord {
  /** That midnight, in milliseconds. */
  readonly until: number;
  /** Of the last record that may have been read, in decimal; null: the log was empty. */
  readonly position: string | null;
  readonly sports: Readonly<Record<SportSlug, Readonly<Record<QuotedMarket, CountedMarket>>>>;
}

export interface CountedMarket {
  /** The newest season first, then by league. */
  readonly rows: readonly SeasonRow[];
  /** The midnights at which it began to be published, ceased to be, and so on. */
  readonly publications: readonly number[];
}

export interface Counting {
  readonly until: number;
  readonly weightOf: ReferenceWeight;
  readonly signal?: AbortSignal | undefined;
}

/** Walks forward through the log and counts what `backtest` counts, by league and season. */
export async function countRecord(log: EventLog, { until, weightOf, signal }: Counting): Promise<CountedRecord> {
  const head = await log.head();
  const markets = new Map<string, MarketCount>();
  const countOf = (sport: SportSlug, market: QuotedMarket): MarketCount => {
    const key = `${sport} ${market}`;
    const known = markets.get(key) ?? new MarketCount(MODEL_VERSION[sport]);
    markets.set(key, known);
    return known;
  };
  const all = { sport: null, from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };
  for await (const { story, games, selections } of judgeLog(log, { ...all, toldBefore: until, weightOf, signal })) {
    const { sport, settledAt } = story;
    for (const game of games) countOf(sport, game.market).add(story, game);
    for (const one of selections) countOf(sport, one.market).select({ ...one, settledAt: settledAt! });
  }
  const sports: [SportSlug, Record<QuotedMarket, CountedMarket>][] = [];
  for (const sport of SPORT_SLUGS) {
    const ofSport: [QuotedMarket, CountedMarket][] = [];
    for (const market of QUOTED_MARKETS) ofSport.push([market, await countOf(sport, market).counted()]);
    sports.push([sport, Object.fromEntries(ofSport) as Record<QuotedMarket, CountedMarket>]);
  }
  return {
    until,
    position: head === null ? null : String(head),
    sports: Object.fromEntries(sports) as CountedRecord['sports'],
  };
}

/** The games and selections of one sport and market. */
class MarketCount {
  readonly #seasons = new Map<string, { readonly league: string; readonly season: number; record: MarketRecord }>();
  readonly #selections: SettledSelection[] = [];
  readonly #modelVersion: string;

  constructor(modelVersion: string) {
    this.#modelVersion = modelVersion;
  }

  add({ league, season, startsAt }: EventStory, game: JudgedGame): void {
    const key = `${league} ${season}`;
    const known = this.#seasons.get(key) ?? { league, season, record: new MarketRecord() };
    this.#seasons.set(key, known);
    known.record.add(formatDate(startsAt), game);
  }

  select(selection: SettledSelection): void {
    this.#selections.push(selection);
  }

  async counted(): Promise<CountedMarket> {
    const rows: SeasonRow[] = [];
    const inOrder = [...this.#seasons.values()].sort(
      (a, b) => b.season - a.season || (a.league < b.league ? -1 : a.league > b.league ? 1 : 0),
    );
    for (const { league, season, record } of inOrder) {
      rows.push(record.row(league, season, this.#modelVersion));
      await breathe();
    }
    return { rows, publications: await publicationsOf(this.#selections, breathe) };
  }
}
