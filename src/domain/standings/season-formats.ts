import { installedLeagues } from '../catalogue/added-leagues.ts';
import type { OwnFormat } from '../catalogue/own-format.ts';
import { ownValue } from '../primitives/own-properties.ts';

/** What the table of a season decides, as the leagues publish it; `docs/projections.md` has it in words. */
export interface SeasonFormat {
  /** The first of the table has the title; else those that reach the playoffs play for it. */
  readonly isTitleOfTable: boolean;
  /** How many of the last go down at once; those that play for it are not among them. Null: nobody goes down. */
  readonly relegated: number | null;
  /**
   * How many of the first go up at once; who wins the playoffs of a league whose table decides the title does too. Null:
   * nobody goes up.
   */
  readonly promoted: number | null;
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
  readonly of: 'table' | 'conference';
  /** Places in each conference, or in the table, behind those who go up at once. */
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
  promoted: null,
  playoffs: null,
  doubleRoundOf: teams,
  games: 2 * (teams - 1),
});
const playedOff = (games: number, playoffs: Omit<Playoffs, 'of'>): SeasonFormat => ({
  isTitleOfTable: false,
  relegated: null,
  promoted: null,
  playoffs: { of: 'conference', ...playoffs },
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
  const own = ownValue(installedLeagues(), league)?.format;
  return own ? formatOf(own) : ownValue(FORMATS, league)?.find(([since]) => year >= since)?.[1];
}

/** The format that a league of CONFIG has, in all of its seasons. */
function formatOf({ title, double_round_of, games, promoted, relegated, playoffs }: OwnFormat): SeasonFormat {
  const { places = 0, of = 'table', of_division = 0, play_in = false, best_of = [1] } = playoffs ?? {};
  return {
    isTitleOfTable: title === 'table',
    relegated: relegated ?? null,
    promoted: promoted ?? null,
    playoffs: playoffs ? { of, places, ofDivision: of_division, hasPlayIn: play_in, bestOf: best_of } : null,
    doubleRoundOf: double_round_of ?? null,
    games: double_round_of === undefined ? games! : 2 * (double_round_of - 1),
  };
}

/** How many teams have a place in the playoffs; null: there are none. */
export const playoffPlaces = ({ playoffs }: SeasonFormat): number | null =>
  playoffs && playoffs.places * (playoffs.of === 'conference' ? 2 : 1);

/** How many teams go up; null: nobody does. */
export const promotedPlaces = ({ isTitleOfTable, promoted, playoffs }: SeasonFormat): number | null =>
  promoted === null ? null : promoted + (isTitleOfTable && playoffs ? 1 : 0);
