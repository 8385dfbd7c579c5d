import { aliasesOf, type PlayerFacts } from '../directory-entries.ts';
import { foldWords, joinWords } from './folded-words.ts';
import { swapMiddleLetters, typoKeysOf, typoKeysOneEditAway } from './typo-keys.ts';

export const PLAYER_NAME_FACTS = ['full_name', 'first_name', 'last_name', 'aliases', 'position', 'team_id'] as const;

/** The data of a directory player that name search needs. */
export interface PlayerNameEntry {
  readonly id: number;
  readonly sport: string;
  readonly facts: Pick<PlayerFacts, (typeof PLAYER_NAME_FACTS)[number]>;
  readonly aliased?: readonly string[];
}

/** One name of a person, folded. */
export interface PersonName extends SuffixedName {
  /** Without spaces, the suffix included. */
  readonly text: string;
}

/** The names of a player, folded. */
export interface FoldedPlayerNames {
  readonly full: PersonName;
  readonly aliases: readonly PersonName[];
  /** Without spaces; empty if the name is one word. */
  readonly first: string;
  readonly last: string;
}

const personName = (name: string): PersonName => {
  const words = foldWords(name);
  return { ...splitSuffix(words), text: joinWords(words) };
};

export function foldPlayerNames(player: PlayerNameEntry): FoldedPlayerNames {
  const { facts } = player;
  const full = personName(facts.full_name);
  const stated = facts.last_name === undefined ? [] : splitSuffix(foldWords(facts.last_name)).base;
  const last = stated.length > 0 ? stated : full.base.slice(1);
  return {
    full,
    aliases: aliasesOf(player)
      .map(personName)
      .filter(({ text }) => text !== ''),
    first: firstName(full.base, last, facts.first_name),
    last: joinWords(last),
  };
}

/** The name without the last name, which stands at the end, or at the beginning: Yao Ming. */
function firstName(base: readonly string[], last: readonly string[], stated: string | undefined): string {
  const [all, family] = [joinWords(base), joinWords(last)];
  if (base.length > last.length) {
    if (all.endsWith(family)) return all.slice(0, all.length - family.length);
    if (all.startsWith(family)) return all.slice(family.length);
  }
  return stated === undefined ? (base[0] ?? '') : joinWords(foldWords(stated));
}

const fullNameKey = (text: string): string => `n:${text}`;
const reversedNameKey = (text: string): string => `t:${text}`;
const initialKey = (letter: string, last: string): string => `i:${letter} ${last}`;
const lastNameKey = (text: string): string => `l:${text}`;

/** The keys under which a player is found; see `exactKeysOfQuery`, `partialKeysOfQuery` and `typoKeysOfQuery`. */
export function playerSearchKeys(player: PlayerNameEntry): string[] {
  const { full, aliases, first, last } = foldPlayerNames(player);
  const keys = [full, ...aliases].flatMap(({ text, base }) => [
    fullNameKey(text),
    fullNameKey(joinWords(base)),
    ...typoKeysOf(text),
  ]);
  if (last !== '') {
    keys.push(lastNameKey(last));
    if (first !== '')
      keys.push(fullNameKey(first + last), reversedNameKey(last + first), initialKey(letterOf(first), last));
  }
  return [...new Set(keys)];
}

/** A parsed player name from a query. */
export interface PlayerQuery extends PersonName {
  /** The parts of `Last, First`, without the suffix. */
  readonly comma: { readonly last: readonly string[]; readonly first: readonly string[] } | null;
  /** All readings as an initial and a last name. */
  readonly initials: readonly { readonly letter: string; readonly last: string }[];
}

/** `P.Mahomes` becomes two words; `J.J.` stays one. */
const INITIAL_BEFORE_NAME = /(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}{2})/gu;

export function parsePlayerQuery(text: string): PlayerQuery {
  const spaced = text.normalize('NFC').replace(INITIAL_BEFORE_NAME, '$1. ');
  const words = foldWords(spaced);
  const parts = spaced
    .split(',')
    .map(foldWords)
    .filter((part) => part.length > 0);
  const suffixes = parts.slice(1).filter(isSuffix);
  const [family, given, ...more] = parts.filter((part, index) => index === 0 || !isSuffix(part));
  const isLastFirst = family !== undefined && given !== undefined && more.length === 0;
  if (!isLastFirst) {
    const { base, suffix } = splitSuffix(words);
    return { text: joinWords(words), base, suffix, comma: null, initials: initialsOf(base) };
  }
  // Any part may end with the suffix: `Griffey Jr., Ken` and `Griffey, Ken, Jr`.
  const [last, first] = [splitSuffix(family), splitSuffix(given)];
  const suffix = suffixes[0]?.[0] ?? first.suffix ?? last.suffix;
  const isInitial = first.base.length === 1 && isLetter(first.base[0]!);
  return {
    text: joinWords(words),
    base: [...last.base, ...first.base],
    suffix,
    comma: { last: last.base, first: first.base },
    initials: isInitial ? [{ letter: first.base[0]!, last: joinWords(last.base) }] : [],
  };
}

/** `L James` and `James L`. */
function initialsOf(base: readonly string[]): PlayerQuery['initials'] {
  if (base.length < 2) return [];
  const [firstWord, lastWord] = [base[0]!, base.at(-1)!];
  return [
    ...(isLetter(firstWord) ? [{ letter: firstWord, last: joinWords(base.slice(1)) }] : []),
    ...(isLetter(lastWord) ? [{ letter: lastWord, last: joinWords(base.slice(0, -1)) }] : []),
  ];
}

/** Keys of players with exactly this name, whatever the suffix, or with one of the alternative names. */
export function exactKeysOfQuery({ text, base, comma }: PlayerQuery, alternatives: readonly string[]): string[] {
  const reversed = comma ? [joinWords([...comma.first, ...comma.last])] : [];
  return unique([text, joinWords(base), ...reversed, ...alternatives]).map(fullNameKey);
}

/** Keys of players matched by initial, by last name, or by swapped names. */
export function partialKeysOfQuery({ base, comma, initials }: PlayerQuery): string[] {
  const text = joinWords(base);
  const plain = comma || text === '' ? [] : [lastNameKey(text), reversedNameKey(text)];
  return unique([...plain, ...initials.map(({ letter, last }) => initialKey(letter, last))]);
}

/** Keys of players whose name is one typo away. They find some other players too. */
export const typoKeysOfQuery = ({ text }: PlayerQuery): string[] => [
  ...typoKeysOneEditAway(text),
  fullNameKey(swapMiddleLetters(text)),
];

const letterOf = (text: string): string => [...text][0]!;
const isLetter = (word: string): boolean => [...word].length === 1 && /\p{L}/u.test(word);
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');

/** Folded. */
const SUFFIXES: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'v']);

/** A person's name and its suffix. */
interface SuffixedName {
  readonly base: readonly string[];
  readonly suffix: string | null;
}

/** A suffix without other words counts as a name. */
function splitSuffix(words: readonly string[]): SuffixedName {
  const last = words.at(-1);
  return words.length > 1 && SUFFIXES.has(last!)
    ? { base: words.slice(0, -1), suffix: last! }
    : { base: words, suffix: null };
}

const isSuffix = (words: readonly string[]): boolean => words.length === 1 && SUFFIXES.has(words[0]!);
