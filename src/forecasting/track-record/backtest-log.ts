import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { scopeOf } from '../../domain/grading/leg-scope.ts';
import { formatDate, formatTime } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { NO_BLENDED_GAMES } from '../../intelligence/evaluation/blend-weight.ts';
import type { EvaluatedMarket } from '../../intelligence/evaluation/evaluate-event.ts';
import { MarketRecord, type RecordLine, type ScopeMarket } from '../../intelligence/evaluation/market-record.ts';
import type { EventFacts } from '../../intelligence/facts/event-facts.ts';
import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import { outcomesOf, QUOTED_MARKETS, type QuotedMarket } from '../../intelligence/prices/quotes.ts';
import { BlendedMarkets } from './blended-markets.ts';
import { type EvaluationOptions, evaluateLog, sportsOf } from './evaluate-log.ts';

export interface BacktestOptions extends EvaluationOptions {
  /** Called with each evaluated game, in order of start. */
  readonly onGame?: (line: BacktestLine) => Promise<void> | void;
}

/** One evaluated market of one game, as `--games` writes it. */
export interface BacktestLine {
  readonly event_id: number;
  readonly starts_at: string;
  readonly league: string;
  readonly market: QuotedMarket | ScopeMarket;
  readonly line: number | null;
  readonly probabilities: Readonly<Record<string, number>>;
  readonly close: Readonly<Record<string, number>> | null;
  /** Of forecast and close, with the weight that was known before the start; null without a close. */
  readonly blend: Readonly<Record<string, number>> | null;
  readonly outcome: string;
}

/**
 * Replays a log and evaluates the forecasts that were made, or would have been. Returns a line for each sport and
 * market.
 */
export async function runBacktest(log: EventLog, options: BacktestOptions): Promise<readonly RecordLine[]> {
  const sports = sportsOf(options);
  const records = new Map(
    sports.map((sport) => [sport, new Map(marketsOf(sport, options).map((market) => [market, new MarketRecord()]))]),
  );
  const blended = new BlendedMarkets();
  // The weight of a blend is learned from the games before `from` too.
  for await (const one of evaluateLog(log, { ...options, from: Number.NEGATIVE_INFINITY })) {
    const { story, markets, selections, ofScope } = one;
    const ofSport = records.get(story.sport)!;
    const named = [
      ...markets.map((game) => ({ game, name: game.market, blend: blended.blend(story, game) }) as const),
      ...ofScope.map((game) => ({ game, name: SCOPE_MARKET[game.market], blend: null }) as const),
    ];
    if (story.startsAt < options.from) continue;
    for (const { game, name, blend } of named) {
      ofSport.get(name)!.add(formatDate(story.startsAt), game, blend);
      await options.onGame?.(backtestLine(story, game, name, blend));
    }
    for (const selection of selections) ofSport.get(selection.market)!.select(selection);
  }
  return sports.flatMap((sport) =>
    marketsOf(sport, options).map((market) => {
      const weight = isQuotedMarket(market) ? blended.newest(sport, market) : NO_BLENDED_GAMES;
      return records.get(sport)!.get(market)!.line(sport, market, MODEL_VERSION[sport], weight);
    }),
  );
}

const isQuotedMarket = (market: QuotedMarket | ScopeMarket): market is QuotedMarket =>
  QUOTED_MARKETS.some((one) => one === market);

const SCOPE_MARKET = { h2h: 'first_half_h2h', spreads: 'first_half_spreads', totals: 'first_half_totals' } as const;

const marketsOf = (sport: SportSlug, { scopes }: BacktestOptions): readonly (QuotedMarket | ScopeMarket)[] => [
  ...QUOTED_MARKETS,
  ...(scopes && scopeOf({ sport }) ? QUOTED_MARKETS.map((market) => SCOPE_MARKET[market]) : []),
];

function backtestLine(
  { id, startsAt, league, sport }: EventFacts,
  { market, line, probabilities, close, outcome }: EvaluatedMarket,
  name: BacktestLine['market'],
  blend: readonly number[] | null,
): BacktestLine {
  const sides = outcomesOf(market, isSoccer(sport));
  const bySide = (values: readonly number[]) => Object.fromEntries(sides.map((side, i) => [side, values[i]!]));
  return {
    event_id: id,
    starts_at: formatTime(startsAt),
    league,
    market: name,
    line,
    probabilities: bySide(probabilities),
    close: close && bySide(close),
    blend: blend && bySide(blend),
    outcome: sides[outcome]!,
  };
}
