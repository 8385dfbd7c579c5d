import type { SportSlug } from '../domain/catalogue.ts';
import { scopeOf } from '../domain/grading/scope.ts';
import { isSoccer } from '../domain/sides.ts';
import { formatDate, formatTime } from '../domain/time.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { EventStory } from '../intelligence/facts/event-story.ts';
import type { JudgedGame } from '../intelligence/judging/judged-games.ts';
import { MarketRecord, type RecordLine, type ScopeMarket } from '../intelligence/judging/market-record.ts';
import { MODEL_VERSION } from '../intelligence/models/index.ts';
import { outcomesOf, QUOTED_MARKETS, type QuotedMarket } from '../intelligence/prices/quotes.ts';
import { type Judging, judgeLog, sportsOf } from './judged-log.ts';

export interface Backtest extends Judging {
  /** Hears of each judged game, in order of start. */
  readonly onGame?: (line: GameLine) => Promise<void> | void;
}

/** One judged market of one game, as `--games` writes it. */
export interface GameLine {
  readonly event_id: number;
  readonly starts_at: string;
  readonly league: string;
  readonly market: QuotedMarket | ScopeMarket;
  readonly line: number | null;
  readonly probabilities: Readonly<Record<string, number>>;
  readonly close: Readonly<Record<string, number>> | null;
  readonly outcome: string;
}

/** Replays a log and judges what was, or would have been, forecast: a line for each sport and market. */
export async function backtest(log: EventLog, asked: Backtest): Promise<readonly RecordLine[]> {
  const sports = sportsOf(asked);
  const records = new Map(
    sports.map((sport) => [sport, new Map(marketsOf(sport, asked).map((market) => [market, new MarketRecord()]))]),
  );
  for await (const { story, games, selections, ofScope } of judgeLog(log, asked)) {
    const ofSport = records.get(story.sport)!;
    const named = [
      ...games.map((game) => ({ game, name: game.market }) as const),
      ...ofScope.map((game) => ({ game, name: SCOPE_MARKET[game.market] }) as const),
    ];
    for (const { game, name } of named) {
      ofSport.get(name)!.add(formatDate(story.startsAt), game);
      await asked.onGame?.(gameLine(story, game, name));
    }
    for (const selection of selections) ofSport.get(selection.market)!.select(selection);
  }
  return sports.flatMap((sport) =>
    marketsOf(sport, asked).map((market) => records.get(sport)!.get(market)!.line(sport, market, MODEL_VERSION[sport])),
  );
}

const SCOPE_MARKET = { h2h: 'first_half_h2h', spreads: 'first_half_spreads', totals: 'first_half_totals' } as const;

const marketsOf = (sport: SportSlug, { scopes }: Backtest): readonly (QuotedMarket | ScopeMarket)[] => [
  ...QUOTED_MARKETS,
  ...(scopes && scopeOf(sport) ? QUOTED_MARKETS.map((market) => SCOPE_MARKET[market]) : []),
];

function gameLine(
  { id, startsAt, league, sport }: EventStory,
  { market, line, probabilities, close, outcome }: JudgedGame,
  name: GameLine['market'],
): GameLine {
  const sides = outcomesOf(market, isSoccer(sport));
  const bySide = (values: readonly number[]) => Object.fromEntries(sides.map((side, i) => [side, values[i]!]));
  return {
    ...{ event_id: id, starts_at: formatTime(startsAt), league, market: name, line },
    ...{ probabilities: bySide(probabilities), close: close && bySide(close), outcome: sides[outcome]! },
  };
}
