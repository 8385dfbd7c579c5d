import { createHash } from 'node:crypto';
import { ascending } from 'd3-array';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { formatDate } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { BlendTurn, BlendTurns } from '../../intelligence/evaluation/blend-weight.ts';
import type { EvaluatedMarket } from '../../intelligence/evaluation/evaluate-event.ts';
import { MarketRecord, type SeasonRow } from '../../intelligence/evaluation/market-record.ts';
import { type MonthlyRecord, recordByMonth } from '../../intelligence/evaluation/monthly-record.ts';
import { findPublicationTimes, type SettledSelection } from '../../intelligence/evaluation/publication-rule.ts';
import type { EventFacts } from '../../intelligence/facts/event-facts.ts';
import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import { QUOTED_MARKETS, type QuotedMarket } from '../../intelligence/prices/quotes.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { BlendedMarkets } from './blended-markets.ts';
import { evaluateLog } from './evaluate-log.ts';

/** The track record of the forecasts, from all facts before a UTC midnight. Plain JSON. */
export interface CountedTrackRecord {
  /** That midnight, in milliseconds. */
  readonly until: number;
  /** The position of the last record that may have been read, in decimal; null if the log was empty. */
  readonly position: string | null;
  readonly sports: Readonly<Record<SportSlug, Readonly<Record<QuotedMarket, CountedMarket>>>>;
}

interface CountedMarket {
  /** The newest season first, then by league. */
  readonly rows: readonly SeasonRow[];
  /** The midnights at which publication began, ended, began again, and so on. */
  readonly publications: readonly number[];
  /** What the selections foresaw of the market's moves. */
  readonly months: readonly MonthlyRecord[];
  /** The weight of the blends from each midnight on, and a mark that differs whenever they do. */
  readonly blends: { readonly turns: readonly BlendTurn[]; readonly version: string };
}

/** The weights of one sport's blends. */
export function blendTurnsIn({ sports }: CountedTrackRecord, sport: SportSlug): BlendTurns {
  const { h2h, spreads, totals } = sports[sport];
  const version = [h2h, spreads, totals].map(({ blends }) => blends.version).join(' ');
  return { h2h: h2h.blends.turns, spreads: spreads.blends.turns, totals: totals.blends.turns, version };
}

interface CountOptions {
  readonly until: number;
  readonly weightOf: SharpWeight;
  readonly signal?: AbortSignal | undefined;
}

/** Walks forward through the log and counts the same figures as `backtest`, by league and season. */
export async function countTrackRecord(
  log: EventLog,
  { until, weightOf, signal }: CountOptions,
): Promise<CountedTrackRecord> {
  const head = await log.head();
  const markets = new Map<string, MarketCount>();
  const countOf = (sport: SportSlug, market: QuotedMarket): MarketCount => {
    const key = `${sport} ${market}`;
    const known = markets.get(key) ?? new MarketCount(MODEL_VERSION[sport]);
    markets.set(key, known);
    return known;
  };
  const blended = new BlendedMarkets();
  const all = { sport: null, from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };
  for await (const { story, markets, selections } of evaluateLog(log, {
    ...all,
    observedBefore: until,
    weightOf,
    signal,
  })) {
    const { sport, settledAt } = story;
    for (const game of markets) countOf(sport, game.market).add(story, game, blended.blend(story, game));
    for (const one of selections) countOf(sport, one.market).select({ ...one, settledAt: settledAt! });
  }
  const sports: [SportSlug, Record<QuotedMarket, CountedMarket>][] = [];
  for (const sport of SPORT_SLUGS) {
    const ofSport: [QuotedMarket, CountedMarket][] = [];
    for (const market of QUOTED_MARKETS) {
      const turns = blended.turns(sport, market, until);
      ofSport.push([market, await countOf(sport, market).counted(turns)]);
    }
    sports.push([sport, Object.fromEntries(ofSport) as Record<QuotedMarket, CountedMarket>]);
  }
  return {
    until,
    position: head === null ? null : String(head),
    sports: Object.fromEntries(sports) as CountedTrackRecord['sports'],
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

  add({ league, season, startsAt }: EventFacts, game: EvaluatedMarket, blend: readonly number[] | null): void {
    const key = `${league} ${season}`;
    const known = this.#seasons.get(key) ?? { league, season, record: new MarketRecord() };
    this.#seasons.set(key, known);
    known.record.add(formatDate(startsAt), game, blend);
  }

  select(selection: SettledSelection): void {
    this.#selections.push(selection);
  }

  async counted(turns: readonly BlendTurn[]): Promise<CountedMarket> {
    const rows: SeasonRow[] = [];
    const inOrder = [...this.#seasons.values()].sort((a, b) => b.season - a.season || ascending(a.league, b.league));
    for (const { league, season, record } of inOrder) {
      rows.push(record.row(league, season, this.#modelVersion));
      await yieldToEventLoop();
    }
    const publications = await findPublicationTimes(this.#selections, yieldToEventLoop);
    const version = createHash('sha256').update(JSON.stringify(turns)).digest('base64url').slice(0, 22);
    return { rows, publications, months: recordByMonth(this.#selections), blends: { turns, version } };
  }
}
