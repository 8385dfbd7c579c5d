import { ownValue } from '../primitives/own-properties.ts';

/** What the table of a season decides, as the leagues publish it; `docs/projections.md` has it in words. */
export interface SeasonFormat {
  /** The first of the table has the title; else those that reach the playoffs play for it. */
  readonly isTitleOfTable: boolean;
  /** How many of the last go down at once; those that play for it are not among them. Null: nobody goes down. */
  readonly relegated: number | null;
  /** Null: there are no playoffs. */
  readonly playoffs: Playoffs | null;
  /**
   * How many teams there are, where each meets each other once at home and once away: then all fixtures are known
   * before they are listed. Null in other leagues.
   */
  readonly doubleRoundOf: number | null;
  /** How many games each team plays. */
  readonly games: number;
}

export interface Playoffs {
  /** Places in each conference. */
  readonly places: number;
  /** How many of the first of each division have a place, and stand before all others (of NHL: in no other order). */
  readonly ofDivision: number;
  /** The seventh and the eighth of the NBA play those behind them for the last two places. */
  readonly hasPlayIn: boolean;
  /** The most games of a series in each round; the last number holds for the rest. */
  readonly bestOf: readonly number[];
}

/** Formats by the first season in which they hold (its starting year), newest first. */
type DatedFormats = readonly (readonly [since: number, format: SeasonFormat])[];

const table = (teams: number, relegated: number): SeasonFormat => ({
  isTitleOfTable: true,
  relegated,
  playoffs: null,
  doubleRoundOf: teams,
  games: 2 * (teams - 1),
});
const playedOff = (games: number, playoffs: Playoffs): SeasonFormat => ({
  isTitleOfTable: false,
  relegated: null,
  playoffs,
  doubleRoundOf: null,
  games,
});

const FORMATS: Readonly<Record<string, DatedFormats>> = {
  epl: [[1995, table(20, 3)]],
  la_liga: [[1999, table(20, 3)]],
  serie_a: [[2004, table(20, 3)]],
  // The last but two plays against a team of the second division.
  bundesliga: [[2008, table(18, 2)]],
  ligue_1: [
    [2023, table(18, 2)],
    // One of three went down, because the next season had two teams fewer.
    [2022, table(20, 4)],
    [2016, table(20, 2)],
    [2002, table(20, 3)],
  ],
  nfl: [
    [2021, playedOff(17, { places: 7, ofDivision: 1, hasPlayIn: false, bestOf: [1] })],
    [2020, playedOff(16, { places: 7, ofDivision: 1, hasPlayIn: false, bestOf: [1] })],
    [2002, playedOff(16, { places: 6, ofDivision: 1, hasPlayIn: false, bestOf: [1] })],
  ],
  nba: [
    [2021, playedOff(82, { places: 8, ofDivision: 0, hasPlayIn: true, bestOf: [7] })],
    [2003, playedOff(82, { places: 8, ofDivision: 0, hasPlayIn: false, bestOf: [7] })],
  ],
  mlb: [
    [2022, playedOff(162, { places: 6, ofDivision: 1, hasPlayIn: false, bestOf: [3, 5, 7] })],
    [2013, playedOff(162, { places: 5, ofDivision: 1, hasPlayIn: false, bestOf: [1, 5, 7] })],
  ],
  nhl: [[2021, playedOff(82, { places: 8, ofDivision: 3, hasPlayIn: false, bestOf: [7] })]],
  mls: [[2023, playedOff(34, { places: 9, ofDivision: 0, hasPlayIn: false, bestOf: [1, 3, 1] })]],
};

/** Undefined: it is not known what the table of that season decides. */
export function seasonFormatOf(league: string, year: number): SeasonFormat | undefined {
  return ownValue(FORMATS, league)?.find(([since]) => year >= since)?.[1];
}
