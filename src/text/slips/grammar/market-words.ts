import { withOwnSports } from '../../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';

export const OVER_WORDS: ReadonlyMap<string, 'over' | 'under'> = new Map([
  ['over', 'over'],
  ['o', 'over'],
  ['more', 'over'],
  ['under', 'under'],
  ['u', 'under'],
  ['less', 'under'],
]);

/** Words that always separate two sides. */
export const VERSUS_WORDS: ReadonlySet<string> = new Set(['vs', 'vs.', 'v', 'v.', 'at', '@']);

export const MONEYLINE_PHRASES: readonly (readonly string[])[] = [
  ['ml'],
  ['moneyline'],
  ['money', 'line'],
  ['to', 'win'],
  ['wins'],
  ['h2h'],
];

export const TEAM_TOTAL_PHRASES: readonly (readonly string[])[] = [['team', 'total'], ['tt']];

/** Words for a line of 0. */
export const EVEN_LINE_WORDS: ReadonlySet<string> = new Set(['pk', 'pick', "pick'em"]);

type Sports = readonly SportSlug[] | null;

/** Words for a spread, with the sports that use them; null: all sports. */
export const SPREAD_WORDS: readonly (readonly [words: readonly string[], sports: Sports])[] = [
  [['spread'], null],
  [['ats'], null],
  [['handicap'], null],
  [['run', 'line'], withOwnSports(['mlb'])],
  [['rl'], withOwnSports(['mlb'])],
  [['puck', 'line'], withOwnSports(['nhl'])],
  [['goal', 'line'], withOwnSports(['soccer'])],
];

/** A unit after a line. */
interface LineUnit {
  /** The sports that use it. */
  readonly sports: readonly SportSlug[];
  readonly unsettleableReason: string | null;
}
const unit = (sports: readonly SportSlug[], unsettleableReason: string | null = null): LineUnit => ({
  sports: withOwnSports(sports),
  unsettleableReason,
});
const SETS = unit(['tennis'], 'A line in sets is not graded: spreads and totals of tennis are of games.');

/** Units of spreads, totals and team totals. */
export const LINE_UNITS: ReadonlyMap<string, LineUnit> = new Map([
  ['points', unit(['nfl', 'nba', 'ncaaf', 'ncaab'])],
  ['runs', unit(['mlb'])],
  ['goals', unit(['nhl', 'soccer'])],
  ['games', unit(['tennis'])],
  ['sets', SETS],
]);

export const DRAW_WORDS: ReadonlySet<string> = new Set(['draw', 'tie']);

/** Parts of an event, which have their own markets. */
export const PERIOD_PHRASES: ReadonlySet<string> = new Set([
  ...['1h', '2h', 'f3', 'f5', 'f7', '1q', '2q', '3q', '4q', 'q1', 'q2', 'q3', 'q4', '1p', '2p', '3p'],
  ...['half', 'five', '5', 'set', 'quarter', 'period', 'inning'].flatMap((part) => [`first ${part}`, `1st ${part}`]),
  ...['half', 'set', 'quarter', 'period'].flatMap((part) => [`second ${part}`, `2nd ${part}`]),
]);
/** The first words of the phrases of two words. */
export const ORDINALS: ReadonlySet<string> = new Set(['first', '1st', 'second', '2nd']);

/** Words that no name contains: with one of these, the leg has something left over. */
export const NOT_IN_NAMES: ReadonlySet<string> = new Set([
  ...[
    'over',
    'under',
    'ml',
    'moneyline',
    'h2h',
    'spread',
    'ats',
    'handicap',
    'tt',
    'total',
    'totals',
    'anytime',
    'parlay',
    'sgp',
  ],
]);
