import type { TeamFacts } from '../directory.ts';
import { builtInNames } from './built-in-names.ts';
import { clubName } from './club-affixes.ts';
import { foldedWords, joined, withCitySpelledOut, wordsInLeague } from './folded-words.ts';

export const TEAM_NAME_FACTS = ['name', 'short_name', 'abbreviation', 'city', 'aliases'] as const;

/** A team of the directory, as far as its names go. */
export interface NamedTeam {
  readonly id: number;
  readonly sport: string;
  readonly league: string;
  readonly facts: Pick<TeamFacts, (typeof TEAM_NAME_FACTS)[number]>;
}

/** Their teams are called by the place and a nickname: Kansas City Chiefs. */
const LEAGUES_OF_NICKNAMES: ReadonlySet<string> = new Set(['nfl', 'nba', 'mlb', 'nhl']);

/** The names of a team, folded; all but the words of its name without spaces. */
export interface TeamNames {
  readonly words: readonly string[];
  readonly aliases: readonly string[];
  readonly shortName: string | null;
  /** As it is written: `LA` is no Los Angeles here. */
  readonly abbreviation: string | null;
  /** The closing words of the name, in leagues of nicknames; else none. */
  readonly nicknames: readonly string[];
  /** The directory's city and the opening words of the name, in the same leagues. */
  readonly cities: readonly string[];
  readonly hasNickname: boolean;
}

export function teamNames({ sport, league, facts }: NamedTeam): TeamNames {
  const { name, short_name, abbreviation, city, aliases = [] } = facts;
  const fold = (text: string) => joined(wordsInLeague(text, league));
  const words = wordsInLeague(name, league);
  const hasNickname = LEAGUES_OF_NICKNAMES.has(league);
  const inner = hasNickname ? words.slice(1).map((_, index) => index + 1) : [];
  return {
    words,
    aliases: named([...aliases, ...builtInNames(sport, name)].map(fold)),
    shortName: short_name === undefined ? null : fold(short_name) || null,
    abbreviation: abbreviation === undefined ? null : joined(foldedWords(abbreviation)) || null,
    nicknames: inner.map((from) => joined(words.slice(from))),
    cities: hasNickname
      ? named([...(city === undefined ? [] : [fold(city)]), ...inner.map((to) => joined(words.slice(0, to)))])
      : [],
    hasNickname,
  };
}

const whole = (text: string): string => `n:${text}`;
const word = (text: string): string => `w:${text}`;

/** By what a team is found; see `keysOfTeamQuery`. */
export function keysOfTeam(team: NamedTeam): string[] {
  const { words, aliases, shortName, abbreviation, nicknames, cities, hasNickname } = teamNames(team);
  const core = team.sport === 'soccer' ? [joined(clubName(words).core)] : [];
  const texts = [joined(words), ...aliases, shortName, abbreviation, ...nicknames, ...cities, ...core];
  const found = texts.filter((text) => text !== null && text !== '').map((text) => whole(text!));
  return unique([...found, ...(hasNickname ? [] : words.map(word))]);
}

/** A name that a team is looked for by, folded for leagues of both kinds. */
export interface TeamQuery {
  readonly plain: readonly string[];
  readonly spelledOut: readonly string[];
}

export function teamQuery(text: string): TeamQuery {
  const plain = foldedWords(text);
  return { plain, spelledOut: withCitySpelledOut(plain) };
}

/** Keys of all teams that the query may name in any way, and of some others; none for signs alone. */
export function keysOfTeamQuery({ plain, spelledOut }: TeamQuery): string[] {
  if (plain.length === 0) return [];
  const texts = [plain, spelledOut, clubName(plain).core, clubName(spelledOut).core].map(joined);
  return unique([...texts.map(whole), word(plain[0]!), word(spelledOut[0]!)]);
}

const named = (texts: readonly string[]): string[] => texts.filter((text) => text !== '');
const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
