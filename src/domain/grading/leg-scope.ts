import { SPORT_SLUGS, type SportSlug } from '../catalogue/catalogue.ts';
import { type GameRules, gameRulesOf, hasQuarters, ownRulesIn, type PlayedIn } from '../catalogue/game-rules.ts';

/** The parts of an event on which legs of slips may be. */
export const LEG_SCOPES = ['1H', '2H', 'Q1', 'Q2', 'Q3', 'Q4', 'P1', 'P2', 'P3', 'F5', 'S1'] as const;
export type LegScope = (typeof LEG_SCOPES)[number];

/** Those of them with lines of their own: the first half, the first five innings, the first set. */
const LINE_SCOPES = ['1H', 'F5', 'S1'] as const satisfies readonly LegScope[];
export type LineScope = (typeof LINE_SCOPES)[number];
export const hasLines = (scope: LegScope): scope is LineScope => (LINE_SCOPES as readonly LegScope[]).includes(scope);

const HALVES: readonly LegScope[] = ['1H', '2H'];
const QUARTERS: readonly LegScope[] = [...HALVES, 'Q1', 'Q2', 'Q3', 'Q4'];

function scopesOf(rules: GameRules): readonly LegScope[] {
  const { unit, periods } = rules;
  if (unit === 'set') return ['S1'];
  if (unit === 'inning') return ['F5'];
  if (hasQuarters(rules)) return QUARTERS;
  if (periods.length === 3) return ['P1', 'P2', 'P3'];
  return periods.length === 2 ? HALVES : [];
}

export const hasScope = (game: PlayedIn, scope: LegScope): boolean => scopesOf(gameRulesOf(game)).includes(scope);

/** The scope of a sport or league that has lines of its own; undefined if there is none. */
export const scopeOf = (game: PlayedIn): LineScope | undefined => scopesOf(gameRulesOf(game)).find(hasLines);

/** The sports that have a league in which a scope is played. */
export const sportsOfScope = (scope: LegScope): readonly SportSlug[] =>
  SPORT_SLUGS.filter((sport) =>
    [gameRulesOf({ sport }), ...ownRulesIn(sport)].some((rules) => scopesOf(rules).includes(scope)),
  );

/**
 * The periods of a scope, each with its possible names. The next list is used if a period of this one is missing.
 */
export type ScopePeriods = readonly (readonly (readonly string[])[])[];

const numbered = (first: number, last: number): readonly (readonly string[])[] =>
  Array.from({ length: last - first + 1 }, (_, place) => [String(first + place)]);

export function periodsOfScope(scope: LegScope, game: PlayedIn): ScopePeriods {
  const isOfQuarters = hasQuarters(gameRulesOf(game));
  switch (scope) {
    case '1H':
      return isOfQuarters ? [[['1H']], numbered(1, 2)] : [[['1H', '1']]];
    case '2H':
      return [[['2H']], isOfQuarters ? numbered(3, 4) : numbered(2, 2)];
    case 'F5':
      return [numbered(1, 5)];
    case 'S1':
      return [[['S1']]];
    default:
      return [numbered(Number(scope.slice(1)), Number(scope.slice(1)))];
  }
}

/** The number of the last period that belongs to a scope. */
export function lastPeriodOf(scope: LegScope, game: PlayedIn): number {
  const perHalf = hasQuarters(gameRulesOf(game)) ? 2 : 1;
  if (scope === '1H') return perHalf;
  return scope === '2H' ? 2 * perHalf : Number(scope.slice(1));
}
