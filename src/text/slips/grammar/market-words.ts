import { withOwnSports } from '../../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { LEG_SCOPES, type LegScope } from '../../../domain/grading/leg-scope.ts';

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

/** Words for the moneyline of regular time, with a draw; the longer ones first. */
export const THREE_WAY_PHRASES: readonly (readonly string[])[] = [
  ...['3', 'three'].flatMap((three) => [
    [three, '-', 'way'],
    [three, 'way'],
  ]),
  ['3way'],
  ...['regulation', 'regular'].flatMap((word) => [
    ['in', word, 'time'],
    [word, 'time'],
  ]),
  ['in', 'regulation'],
  ['regulation'],
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

const ORDINAL_WORDS = [
  ['first', '1st'],
  ['second', '2nd'],
  ['third', '3rd'],
  ['fourth', '4th'],
] as const;

/** Phrases such as `first half` of the part with this number. */
const ordinals = (number: 1 | 2 | 3 | 4, part: string, scope: LegScope | null) =>
  ORDINAL_WORDS[number - 1]!.map((word) => [`${word} ${part}`, scope] as const);

/** Parts of an event, which have markets of their own; null: they are not graded. */
export const SCOPE_PHRASES: ReadonlyMap<string, LegScope | null> = new Map<string, LegScope | null>([
  ...LEG_SCOPES.map((scope) => [scope.toLowerCase(), scope] as const),
  ...([1, 2, 3, 4] as const).flatMap((number) => [
    [`${number}q`, `Q${number}`] as const,
    ...ordinals(number, 'quarter', `Q${number}`),
  ]),
  ...([1, 2, 3] as const).flatMap((number) => [
    [`${number}p`, `P${number}`] as const,
    ...ordinals(number, 'period', `P${number}`),
  ]),
  ...ordinals(1, 'half', '1H'),
  ...ordinals(2, 'half', '2H'),
  ...ordinals(1, 'five', 'F5'),
  ...ordinals(1, '5', 'F5'),
  ...ordinals(1, 'set', 'S1'),
  ...ordinals(2, 'set', null),
  ...ordinals(1, 'inning', null),
  ['f3', null],
  ['f7', null],
]);
/** The first words of the phrases of two words. */
export const ORDINALS: ReadonlySet<string> = new Set(ORDINAL_WORDS.flat());

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
