import { DateTime } from 'luxon';
import { formatTime } from '../../domain/primitives/time.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import type { AnswerItem, LeagueView } from './provider.ts';

/** A game that a prediction market has contracts on. */
export interface VenueGame {
  readonly ref: string;
  readonly sport: string;
  readonly league: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly gameNumber?: number | undefined;
  /** Names of the sides: home or player_1 first. */
  readonly sides: readonly [string, string];
}

type Outcome = 'home' | 'away' | 'draw' | 'over' | 'under' | 'player_1' | 'player_2';

/** One side of a market at a venue. */
export interface ContractSide {
  readonly outcome: Outcome;
  readonly point?: number;
  /** The venue's own id of the contract; the opposite side has it too. */
  readonly contract: string;
}

/** A market of a venue, bound to a market of a game. */
export interface VenueMarket {
  readonly game: VenueGame;
  /** The venue's id of what the order book is asked by. */
  readonly id: string;
  readonly series: string;
  readonly key: 'h2h' | 'spreads' | 'totals';
  /** The side whose book it is, and the opposite one where the same book has it too. */
  readonly side: ContractSide;
  readonly opposite: ContractSide | undefined;
  readonly fee: JsonObject | undefined;
  /** How it was settled, for `side`; undefined while it is open. */
  readonly result: 'yes' | 'no' | undefined;
  readonly volume: number | undefined;
  readonly last: number | undefined;
}

/** Why a market is bound to nothing: the code and the text of a note. */
export interface UnboundMarket {
  readonly unbound: string;
  /** The game that it names, where that much is certain. */
  readonly game?: VenueGame | undefined;
}

/** Roles of the sides by sport. */
export const roleOf = (sport: string, index: 0 | 1): Outcome =>
  sport === 'tennis' ? (['player_1', 'player_2'] as const)[index] : (['home', 'away'] as const)[index];

/** The members by which messages name a game. */
export function nameOfGame({ ref, sport, league, startsAt, gameNumber, sides }: VenueGame): JsonObject {
  const match = {
    sport,
    league,
    starts_at: formatTime(startsAt),
    ...(gameNumber === undefined ? {} : { game_number: gameNumber }),
    [roleOf(sport, 0)]: sides[0],
    [roleOf(sport, 1)]: sides[1],
  };
  return { ref, match };
}

/** The `contract` message of a market: of the side whose book it is. */
export function contractMessage(
  source: string,
  at: number,
  { game, series, key, result, side: { outcome, point, contract } }: VenueMarket,
  seen?: JsonObject,
): JsonObject {
  return {
    kind: 'contract',
    source,
    at: formatTime(at),
    ...nameOfGame(game),
    venue: source,
    contract,
    series,
    market: key,
    outcome,
    ...(point === undefined ? {} : { point }),
    by_name: true,
    ...(seen === undefined ? {} : { seen }),
    ...(result === undefined ? {} : { result }),
  };
}

/** Why a market of a venue was left out. @param name of the market */
export const noteOfUnbound = (code: string, name: string): AnswerItem => ({
  note: { code, message: `A market was left out, since what it stands for is not certain: ${name}.` },
});

/** The open markets of each game whose books are to be asked for: of a game that is not known here they would wait. */
export const marketsToAsk = (
  { events }: Pick<LeagueView, 'events'>,
  games: ReadonlyMap<string, readonly VenueMarket[]>,
): { readonly ref: string; readonly markets: readonly VenueMarket[] }[] =>
  events.flatMap(({ ref, overSince }) => {
    const markets = ref === undefined || overSince !== undefined ? undefined : games.get(ref);
    return ref === undefined || markets === undefined ? [] : [{ ref, markets }];
  });

/** A day as a text names it. */
export interface NamedDay {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
}

const EASTERN_LEAGUES: ReadonlySet<string> = new Set(['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab']);

/** Whether a game begins on a day: in the east of the US; where others play, also by UTC. */
export function isDayOf({ sport, startsAt }: Pick<VenueGame, 'sport' | 'startsAt'>, named: NamedDay): boolean {
  const zones = EASTERN_LEAGUES.has(sport) ? ['America/New_York'] : ['America/New_York', 'utc'];
  return zones.some((zone) => {
    const { year, month, day } = DateTime.fromMillis(startsAt, { zone });
    return month === named.month && day === named.day && (named.year === undefined || named.year === year);
  });
}

/** Only on a half point the two sides of a line share all ends of a game: on a whole one neither may win. */
export const isHalfPoint = (line: number): boolean => Number.isInteger(line + 0.5);

/** Words that turn the meaning of a question around. */
const NEGATED = /\b(not|no|lose[sd]?|losing|loss|fails?|without|never|under ?dog)\b|n['’]t\b/i;

/** Whether a text may mean the opposite of what its names say. */
export const isNegated = (text: string): boolean => NEGATED.test(text);
