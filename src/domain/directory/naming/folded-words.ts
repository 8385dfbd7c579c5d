import { foldText } from '../../primitives/name-normalization.ts';

const DROPPED = /['’.`]/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const SPELLED_OUT: ReadonlyMap<string, string> = new Map([
  ['st', 'state'],
  ['saint', 'state'],
  ['utd', 'united'],
]);

/**
 * The words of a name in the form in which resolvers compare names: lower case without accents. `'`, `’`, `.` and `` `
 * `` are removed, other signs separate words, `&` becomes `and`, `St` and `Saint` become `state`, `Utd` becomes
 * `united`. Empty if the name has signs only.
 */
export const foldWords = (name: string): string[] =>
  foldText(name)
    .replace(DROPPED, '')
    .replaceAll('&', ' and ')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .map((word) => SPELLED_OUT.get(word) ?? word);

/** Whole names are compared without their spaces. */
export const joinWords = (words: readonly string[]): string => words.join('');

const CITIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['la', ['los', 'angeles']],
  ['ny', ['new', 'york']],
]);
/** In other leagues `La` is an article: La Coruña. */
const LEAGUES_OF_CITIES: ReadonlySet<string> = new Set(['nfl', 'nba', 'mlb', 'nhl', 'mls']);

/** Expands a leading `la` to Los Angeles and `ny` to New York. */
export function expandCityAbbreviation(words: readonly string[]): readonly string[] {
  const city = CITIES.get(words[0] ?? '');
  return city ? [...city, ...words.slice(1)] : words;
}

export const expandsCityAbbreviations = (league: string): boolean => LEAGUES_OF_CITIES.has(league);

/** The folded words of a team name of this league. */
export function foldWordsForLeague(name: string, league: string): readonly string[] {
  const words = foldWords(name);
  return expandsCityAbbreviations(league) ? expandCityAbbreviation(words) : words;
}
