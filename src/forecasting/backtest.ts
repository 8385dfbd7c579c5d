import { SPORT_SLUGS, type SportSlug } from '../domain/catalogue.ts';
import { isSoccer } from '../domain/sides.ts';
import { formatDate, formatTime } from '../domain/time.ts';
import type { EventStory } from '../intelligence/facts/event-story.ts';
import { Forecaster } from '../intelligence/facts/forecaster.ts';
import { type JudgedGame, judgeEvent } from '../intelligence/judging/judged-games.ts';
import { MarketRecord, type RecordLine } from '../intelligence/judging/market-record.ts';
import { MODEL_VERSION } from '../intelligence/models/index.ts';
import type { ReferenceWeight } from '../intelligence/prices/books.ts';
import { outcomesOf, QUOTED_MARKETS, type QuotedMarket } from '../intelligence/prices/quotes.ts';
import type { EventLog } from '../log/event-log.ts';
import { breathe } from '../time/breathe.ts';
import { readFacts, readPrices } from './log-facts.ts';

export interface Backtest {
  /** Null: all sports. */
  readonly sport: SportSlug | null;
  /** Starts from this time on and before the other are judged: milliseconds. */
  readonly from: number;
  readonly before: number;
  readonly weightOf: ReferenceWeight;
  /** Hears of each judged game, in order of start. */
  readonly onGame?: (line: GameLine) => Promise<void> | void;
  readonly onProgress?: (records: number) => void;
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

/** Games are learnt so many at once before others may have the event loop. */
const TOGETHER = 16;

/** Replays a log and judges what was, or would have been, forecast: a line for each sport and market. */
export async function backtest(log: EventLog, asked: Backtest): Promise<readonly RecordLine[]> {
  const sports = asked.sport === null ? SPORT_SLUGS : [asked.sport];
  const { stories, rankAt } = await readFacts(
    log,
    (sport) => asked.sport === null || sport === asked.sport,
    asked.onProgress ?? (() => {}),
  );
  const forecasters = new Map<SportSlug, Forecaster>();
  for (const sport of sports) {
    const ofSport = stories.filter((story) => story.sport === sport);
    forecasters.set(sport, new Forecaster(sport, ofSport, rankAt));
    await breathe();
  }
  const records = new Map(
    sports.map((sport) => [sport, new Map(QUOTED_MARKETS.map((market) => [market, new MarketRecord()]))]),
  );
  const inOrder = stories.toSorted(byStart);
  for (const story of inOrder) {
    if (story.result === null || story.startsAt < asked.from || story.startsAt >= asked.before) continue;
    const forecaster = forecasters.get(story.sport)!;
    while (forecaster.learn(story.league, story.closesAt, TOGETHER)) await breathe();
    const prices = await readPrices(log, story.id, story.closesAt);
    const { games, selections } = await judgeEvent(story, prices, forecaster, {
      weightOf: asked.weightOf,
      pause: breathe,
    });
    const ofSport = records.get(story.sport)!;
    for (const game of games) {
      ofSport.get(game.market)!.add(formatDate(story.startsAt), game);
      await asked.onGame?.(gameLine(story, game));
    }
    for (const selection of selections) ofSport.get(selection.market)!.select(selection);
    await breathe();
  }
  return sports.flatMap((sport) =>
    QUOTED_MARKETS.map((market) => records.get(sport)!.get(market)!.line(sport, market, MODEL_VERSION[sport])),
  );
}

/** Ids follow the order of arrival, on which nothing may depend but themselves. */
function byStart(a: EventStory, b: EventStory): number {
  return a.startsAt - b.startsAt || compare(a.league, b.league) || compare(a.name, b.name);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

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
