import { playsLike } from '../../catalogue/added-leagues.ts';
import { aliasesOf, type TeamFacts } from '../directory-entries.ts';
import { splitClubName } from './club-affixes.ts';
import { expandCityAbbreviation, foldWords, foldWordsForLeague, joinWords } from './folded-words.ts';
import { searchNicknames } from './search-nicknames.ts';

export const TEAM_NAME_FACTS = ['name', 'short_name', 'abbreviation', 'city', 'aliases'] as const;

/** The data of a directory team that name search needs. */
export interface TeamNameEntry {
  readonly id: number;
  readonly sport: string;
  readonly league: string;
  readonly facts: Pick<TeamFacts, (typeof TEAM_NAME_FACTS)[number]>;
  readonly aliased?: readonly string[];
}

/** Leagues whose team names are a place and a nickname: Kansas City Chiefs. */
const LEAGUES_OF_NICKNAMES: ReadonlySet<string> = new Set(['nfl', 'nba', 'mlb', 'nhl']);

/** The names of a team, folded. All but `words` are without spaces. */
interface FoldedTeamNames {
  readonly words: readonly string[];
  readonly aliases: readonly string[];
  readonly shortName: string | null;
  /** Not expanded: `LA` stays `la`. */
  readonly abbreviation: string | null;
  /** The last words of the name; empty in leagues without nicknames. */
  readonly nicknames: readonly string[];
  /** The city from the directory and the first words of the name; empty in leagues without nicknames. */
  readonly cities: readonly string[];
  readonly hasNickname: boolean;
}

export function foldTeamNames(team: TeamNameEntry): FoldedTeamNames {
  const { sport, league, facts } = team;
  const { name, short_name, abbreviation, city } = facts;
  const fold = (text: string) => joinWords(foldWordsForLeague(text, league));
  const words = foldWordsForLeague(name, league);
  const hasNickname = LEAGUES_OF_NICKNAMES.has(league);
  const inner = hasNickname ? words.slice(1).map((_, index) => index + 1) : [];
  return {
    words,
    aliases: withoutEmpty([...aliasesOf(team), ...searchNicknames(sport, name)].map(fold)),
    shortName: short_name === undefined ? null : fold(short_name) || null,
    abbreviation: abbreviation === undefined ? null : joinWords(foldWords(abbreviation)) || null,
    nicknames: inner.map((from) => joinWords(words.slice(from))),
    cities: hasNickname
      ? withoutEmpty([...(city === undefined ? [] : [fold(city)]), ...inner.map((to) => joinWords(words.slice(0, to)))])
      : [],
    hasNickname,
  };
}

const fullNameKey = (text: string): string => `n:${text}`;
const wordKey = (text: string): string => `w:${text}`;

/** The keys under which a team is found; see `teamQueryKeys`. */
export function teamSearchKeys(team: TeamNameEntry): string[] {
  const { words, aliases, shortName, abbreviation, nicknames, cities, hasNickname } = foldTeamNames(team);
  const core = playsLike(team.sport) === 'soccer' ? [joinWords(splitClubName(words).core)] : [];
  const texts = [joinWords(words), ...aliases, shortName, abbreviation, ...nicknames, ...cities, ...core];
  const found = texts.filter((text) => text !== null && text !== '').map((text) => fullNameKey(text!));
  return unique([...found, ...(hasNickname ? [] : words.map(wordKey))]);
}

/** A team name from a query, folded with and without expanded city abbreviations. */
export interface TeamQuery {
  readonly plain: readonly string[];
  readonly spelledOut: readonly string[];
}

export function parseTeamQuery(text: string): TeamQuery {
  const plain = foldWords(text);
  return { plain, spelledOut: expandCityAbbreviation(plain) };
}

/** Keys that find every team that the query can name, and some others; empty for signs only. */
export function teamQueryKeys({ plain, spelledOut }: TeamQuery): string[] {
  if (plain.length === 0) return [];
  const texts = [plain, spelledOut, splitClubName(plain).core, splitClubName(spelledOut).core].map(joinWords);
  return unique([...texts.map(fullNameKey), wordKey(plain[0]!), wordKey(spelledOut[0]!)]);
}

const withoutEmpty = (texts: readonly string[]): string[] => texts.filter((text) => text !== '');
const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
