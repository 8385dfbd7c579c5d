import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { isSameClub, splitClubName } from '../../domain/directory/naming/club-affixes.ts';
import { expandsCityAbbreviations, joinWords } from '../../domain/directory/naming/folded-words.ts';
import { foldTeamNames, type TeamNameEntry, type TeamQuery } from '../../domain/directory/naming/team-name-keys.ts';

/** The forms in which a query can name a team, the surest first, with points of 100. */
export const TEAM_MATCH_FORMS = {
  name: 100,
  alias: 97,
  short_name: 97,
  abbreviation: 95,
  affix: 95,
  nickname: 90,
  city: 80,
  part: 70,
} as const;
export type TeamMatchForm = keyof typeof TEAM_MATCH_FORMS;

const FULL_MATCHES: ReadonlySet<TeamMatchForm> = new Set(['name', 'short_name', 'alias', 'abbreviation', 'nickname']);
/** Whether a match of this form excludes teams of the league that match by `affix`, `city` or `part`. */
export const isFullTeamMatch = (form: TeamMatchForm): boolean => FULL_MATCHES.has(form);

/** The surest form in which the query names this team; undefined if it does not. */
export function matchTeamName(query: TeamQuery, team: TeamNameEntry): TeamMatchForm | undefined {
  if (query.plain.length === 0) return undefined;
  const words = expandsCityAbbreviations(team.league) ? query.spelledOut : query.plain;
  const text = joinWords(words);
  const names = foldTeamNames(team);
  if (text === joinWords(names.words)) return 'name';
  if (names.aliases.includes(text)) return 'alias';
  if (text === names.shortName) return 'short_name';
  if (joinWords(query.plain) === names.abbreviation) return 'abbreviation';
  if (playsLike(team.sport) === 'soccer' && isSameClub(splitClubName(words), splitClubName(names.words)))
    return 'affix';
  if (names.nicknames.includes(text)) return 'nickname';
  if (names.cities.includes(text)) return 'city';
  return !names.hasNickname && isPartOfName(words, names.words) ? 'part' : undefined;
}

/** Whether these are consecutive words of the name, but not all of them. */
function isPartOfName(queryWords: readonly string[], words: readonly string[]): boolean {
  if (queryWords.length >= words.length) return false;
  return words.some((_, from) => queryWords.every((word, index) => words[from + index] === word));
}
