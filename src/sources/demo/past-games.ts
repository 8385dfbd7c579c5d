import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { DEMO_BOOKMAKERS } from './bookmakers/demo-bookmakers.ts';
import { quotesOf } from './bookmakers/match-quotes.ts';
import { type DemoMessage, timedMessage } from './demo-day.ts';
import { scheduleMessage, scoreMessage } from './demo-event-messages.ts';
import { DEMO_LEAGUES, type DemoLeague } from './fixtures/demo-leagues.ts';
import { type Fixture, pairing } from './fixtures/fixtures.ts';
import { timelineOf } from './fixtures/game-timeline.ts';
import { opinionsOf } from './fixtures/market-opinions.ts';
import type { UntimedMessage } from './fixtures/pre-game-messages.ts';
import { randomFor } from './simulation/random.ts';
import { sportOfLeague } from './teams/competitors.ts';

/** The days before the demo's first. All of their messages follow from these values. */
export interface DemoPast {
  readonly seed: number;
  /** The UTC midnight at which the last of these days ends, in milliseconds. */
  readonly before: number;
}

/**
 * The stretches of days with games, the oldest first. A league has forecasts from its 100th result on, so 40 games of
 * the season before and 60 of this one can be judged.
 */
const STRETCHES = [
  { days: 70, endsDaysBefore: 364 },
  { days: 30, endsDaysBefore: 0 },
] as const;
/** Each league has a game at each of these hours (UTC), and each ends on the same day. */
const START_HOURS = [13, 18] as const;
/** Hours before the start at which a game is announced: earlier than its first price. */
const ANNOUNCED_HOURS = 5;
/** Minutes before the start at which the closing prices are sent. */
const CLOSING_MINUTES = 3;
/** Whose prices are sent: those that the others are compared with. */
const BOOK = DEMO_BOOKMAKERS[0]!;

/**
 * The games of the past, each with its messages in order: schedule, opening and closing prices, result. They have no
 * course, so that thousands of games are few messages. The same past gives the same bytes.
 */
export function* pastGames(past: DemoPast): Generator<readonly DemoMessage[]> {
  let number = 0;
  for (const { days, endsDaysBefore } of STRETCHES) {
    for (let day = days; day >= 1; day--) {
      const midnight = past.before - (endsDaysBefore + day) * DAY;
      for (const hour of START_HOURS) {
        for (const league of DEMO_LEAGUES) yield gameMessages(past, { league, number, hour }, midnight);
        number++;
      }
    }
  }
}

interface PastGame {
  readonly league: DemoLeague;
  /** Counted from the league's first. */
  readonly number: number;
  readonly hour: number;
}

function gameMessages({ seed, before }: DemoPast, game: PastGame, midnight: number): DemoMessage[] {
  const { league, number, hour } = game;
  const startsAt = (hour * HOUR) / 1000;
  const fixture: Fixture = {
    ref: `past-${seed}-${before.toString(36)}-${league.slug}-${number + 1}`,
    sport: sportOfLeague(league.slug),
    league,
    startsAt,
    announcedAt: startsAt - (ANNOUNCED_HOURS * HOUR) / 1000,
    sides: pairing(league, seed, number),
    scenario: 'plain',
    number,
  };
  const { ref, sport } = fixture;
  const timeline = timelineOf(fixture, seed);
  const final = timeline.moments.at(-1)!;
  const moments = [...opinionsOf(fixture, timeline, seed, null), timeline.moments[0]!];
  const quotes = quotesOf({ book: BOOK, sides: rolesOf(sport), moments, random: randomFor(seed, ref, 'book') });
  const markets = quotes.map((quote) => quote.markets.filter(({ alternate }) => !alternate));
  const closing = new Map(markets.flat().map((market) => [market.key, market]));
  const odds = (second: number, quoted: (typeof markets)[0]): UntimedMessage[] =>
    quoted.length === 0 ? [] : [{ second, message: { kind: 'odds', ref, bookmaker: BOOK.slug, markets: quoted } }];
  const untimed: UntimedMessage[] = [
    { second: fixture.announcedAt, message: scheduleMessage(fixture, midnight + startsAt * 1000) },
    ...(quotes[0] ? odds(timeline.start + quotes[0].second, markets[0]!) : []),
    ...odds(startsAt - CLOSING_MINUTES * 60, [...closing.values()]),
    { second: timeline.start + final.second, message: scoreMessage(fixture, final.score!) },
  ];
  return untimed.map(({ second, message }) => timedMessage(Math.ceil(midnight + second * 1000), message));
}
