import { joinWords } from '../../domain/directory/naming/folded-words.ts';
import {
  type FoldedPlayerNames,
  foldPlayerNames,
  type PersonName,
  type PlayerNameEntry,
  type PlayerQuery,
} from '../../domain/directory/naming/player-name-keys.ts';
import { isOneEditAway, mayHaveTypo } from '../../domain/directory/naming/typo-keys.ts';
import { otherGivenNames } from './given-names.ts';

/** The forms in which a query can name a player, the surest first, with points of 100. */
export const PLAYER_MATCH_FORMS = {
  name: 100,
  alias: 97,
  reversed: 97,
  suffix: 95,
  turned: 80,
  given_name: 80,
  initial: 75,
  last_name: 70,
  typo: 60,
} as const;
export type PlayerMatchForm = keyof typeof PLAYER_MATCH_FORMS;

const FULL_MATCHES: ReadonlySet<PlayerMatchForm> = new Set(['name', 'alias', 'suffix', 'reversed']);
/** Whether a match of this form excludes players of the sport with weaker forms. */
export const isFullPlayerMatch = (form: PlayerMatchForm): boolean => FULL_MATCHES.has(form);

/**
 * The surest form in which the query names this player; undefined if it does not.
 * @param isPermissive whether short forms of given names and typos count too
 */
export function matchPlayerName(
  query: PlayerQuery,
  player: PlayerNameEntry,
  isPermissive: boolean,
): PlayerMatchForm | undefined {
  if (query.text === '') return undefined;
  const names = foldPlayerNames(player);
  const { full, aliases } = names;
  const all = [full, ...aliases];
  if (query.text === full.text) return 'name';
  if (aliases.some(({ text }) => text === query.text)) return 'alias';
  if (isReversed(query, names, ({ suffix }) => suffix === query.suffix)) return 'reversed';
  // Different suffixes mean different people.
  if (query.suffix !== null && full.suffix !== null && query.suffix !== full.suffix) return undefined;
  const base = joinWords(query.base);
  const hasOneSuffix = ({ suffix }: PersonName) => (suffix === null) !== (query.suffix === null);
  if (!query.comma && all.some((name) => hasOneSuffix(name) && joinWords(name.base) === base)) return 'suffix';
  if (isReversed(query, names, hasOneSuffix)) return 'suffix';
  const { first, last } = names;
  // If the last name comes first, as in Yao Ming, the swapped order is Ming Yao.
  if (!query.comma && first !== '' && last !== '' && [last + first, first + last].includes(base)) return 'turned';
  if (isPermissive && otherFullNames(query).includes(joinWords(full.base))) return 'given_name';
  if (query.initials.some((initial) => initial.last === last && first.startsWith(initial.letter))) return 'initial';
  if (!query.comma && base === last) return 'last_name';
  return isPermissive && all.some(({ text }) => isTypo(query.text, text)) ? 'typo' : undefined;
}

/** Whether the query is `Last, First` for one of these names. */
function isReversed({ comma }: PlayerQuery, names: FoldedPlayerNames, fits: (name: PersonName) => boolean): boolean {
  if (!comma) return false;
  const [last, first] = [joinWords(comma.last), joinWords(comma.first)];
  if (fits(names.full) && last === names.last && first === names.first) return true;
  return [names.full, ...names.aliases].some((name) => fits(name) && joinWords(name.base) === first + last);
}

/** The query with other forms of its given name, first name first, without spaces. */
export function otherFullNames({ base, comma }: PlayerQuery): string[] {
  const words = comma ? [...comma.first, ...comma.last] : base;
  if (words.length < 2) return [];
  const rest = joinWords(words.slice(1));
  return otherGivenNames(words[0]!).map((given) => given + rest);
}

const isTypo = (a: string, b: string): boolean => mayHaveTypo(a) && mayHaveTypo(b) && isOneEditAway(a, b);

/** Whether a name of the player has the suffix of the query. */
export function hasSuffixOfQuery({ suffix }: PlayerQuery, player: PlayerNameEntry): boolean {
  const { full, aliases } = foldPlayerNames(player);
  return [full, ...aliases].some((name) => name.suffix === suffix);
}

/**
 * Whether a requested position matches the player's: equal, or one ends with the other (`G` and `PG`), ignoring case.
 * @returns undefined if the player's position is unknown
 */
export function matchesPosition(requested: string, actual: string | undefined): boolean | undefined {
  if (actual === undefined) return undefined;
  const [a, b] = [requested.trim().toLowerCase(), actual.trim().toLowerCase()];
  return a.endsWith(b) || b.endsWith(a);
}
