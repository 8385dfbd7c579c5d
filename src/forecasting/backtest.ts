import { isSoccer } from '../domain/sides.ts';
import { formatDate, formatTime } from '../domain/time.ts';
import type { EventStory } from '../intelligence/facts/event-story.ts';
import type { JudgedGame } from '../intelligence/judging/judged-games.ts';
import { MarketRecord, type RecordLine } from '../intelligence/judging/market-record.ts';
import { MODEL_VERSION } from '../intelligence/models/index.ts';
import { outcomesOf, QUOTED_MARKETS, type QuotedMarket } from '../intelligence/prices/quotes.ts';
import type { EventLog } from '../log/event-log.ts';
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
  readonly market: QuotedMarket;
  readonly line: number | null;
  readonly probabilities: Readonly<Record<string, number>>;
  readonly close: Readonly<Record<string, number>> | null;
  readonly outcome: string;
}

/** Replays a log and judges what was, or would have been, forecast: a line for each sport and market. */
export async function backtest(log: EventLog, asked: Backtest): Promise<readonly RecordLine[]> {
  const sports = sportsOf(asked);
  const records = new Map(
    sports.map((sport) => [sport, new Map(QUOTED_MARKETS.map((market) => [market, new MarketRecord()]))]),
  );
  for await (const { story, games, selections } of judgeLog(log, asked)) {
    const ofSport = records.get(story.sport)!;
    for (const game of games) {
      ofSport.get(game.market)!.add(formatDate(story.startsAt), game);
      await asked.onGame?.(gameLine(story, game));
    }
    for (const selection of selections) ofSport.get(selection.market)!.select(selection);
  }
  return sports.flatMap((sport) =>
    QUOTED_MARKETS.map((market) => records.get(sport)!.get(market)!.line(sport, market, MODEL_VERSION[sport])),
  );
}

function gameLine(
  { id, startsAt, league, sport }: EventStory,
  { market, line, probabilities, close, outcome }: JudgedGame,
): GameLine {
  const sides = outcomesOf(market, isSoccer(sport));
  const bySide = (values: readonly number[]) => Object.fromEntries(sides.map((side, i) => [side, values[i]!]));
  return {
    ...{ event_id: id, starts_at: formatTime(startsAt), league, market, line },
    ...{ probabilities: bySide(probabilities), close: close && bySide(close), outcome: sides[outcome]! },
  };
}
