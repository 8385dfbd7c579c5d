import { clubName, isSameClub } from '../../domain/naming/club-affixes.ts';
import { joined, spellsCitiesOut } from '../../domain/naming/folded-words.ts';
import { type NamedTeam, type TeamQuery, teamNames } from '../../domain/naming/team-names.ts';

/** The ways in which a query may name a team, the surest first, in hundredths. */
export const TEAM_FORMS = {
  name: 100,
  alias: 97,
  short_name: 97,
  abbreviation: 95,
  affix: 95,
  nickname: 90,
  city: 80,
  part: 70,
} as const;
export type TeamForm = keyof typeof TEAM_FORMS;

const WHOLE: ReadonlySet<TeamForm> = new Set(['name', 'short_name', 'alias', 'abbreviation', 'nickname']);
/** Whether a team that is so named keeps others of its league from being meant by `affix`, `city` or `part`. */
export const isWholeTeamForm = (form: TeamForm): boolean => WHOLE.has(form);

/** The surest way in which the query names this team; undefined where it does not. */
export function teamForm(query: TeamQuery, team: NamedTeam): TeamForm | undefined {
  if (query.plain.length === 0) return undefined;
  const asked = spellsCitiesOut(team.league) ? query.spelledOut : query.plain;
  const text = joined(asked);
  const names = teamNames(team);
  if (text === joined(names.words)) return 'name';
  if (names.aliases.includes(text)) return 'alias';
  if (text === names.shortName) return 'short_name';
  if (joined(query.plain) === names.abbreviation) return 'abbreviation';
  if (team.sport === 'soccer' && isSameClub(clubName(asked), clubName(names.words))) return 'affix';
  if (names.nicknames.includes(text)) return 'nickname';
  if (names.cities.includes(text)) return 'city';
  return !names.hasNickname && isRunOf(asked, names.words) ? 'part' : undefined;
}

/** Whether these are words in a row of a name. */
function isRunOf(asked: readonly string[], words: readonly string[]): boolean {
  if (asked.length >= words.length) return false;
  return words.some((_, from) => asked.every((word, index) => words[from + index] === word));
}
