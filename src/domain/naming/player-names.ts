import type { PlayerFacts } from '../directory.ts';
import { foldedWords, joined } from './folded-words.ts';
import { isSuffix, type SuffixedName, withoutSuffix } from './name-suffixes.ts';
import { halvesOf, halvesOneEditAway, turnedInTheMiddle } from './one-edit-away.ts';

export const PLAYER_NAME_FACTS = ['full_name', 'first_name', 'last_name', 'aliases', 'position', 'team_id'] as const;

/** A player of the directory, as far as his names go. */
export interface NamedPlayerEntry {
  readonly id: number;
  readonly sport: string;
  readonly facts: Pick<PlayerFacts, (typeof PLAYER_NAME_FACTS)[number]>;
}

/** One name of a person, folded. */
export interface PersonName extends SuffixedName {
  /** Without spaces, the suffix included. */
  readonly text: string;
}

/** The names of a player, folded. */
export interface PlayerNames {
  readonly full: PersonName;
  readonly aliases: readonly PersonName[];
  /** Without spaces; empty where the name is one word. */
  readonly first: string;
  readonly last: string;
}

const personName = (name: string): PersonName => {
  const words = foldedWords(name);
  return { ...withoutSuffix(words), text: joined(words) };
};

export function playerNames({ facts }: NamedPlayerEntry): PlayerNames {
  const full = personName(facts.full_name);
  const told = facts.last_name === undefined ? [] : withoutSuffix(foldedWords(facts.last_name)).base;
  const last = told.length > 0 ? told : full.base.slice(1);
  return {
    full,
    aliases: (facts.aliases ?? []).map(personName).filter(({ text }) => text !== ''),
    first: firstName(full.base, last, facts.first_name),
    last: joined(last),
  };
}

/** What is left of a name without its last name, which stands behind the first, or in front: Yao Ming. */
function firstName(base: readonly string[], last: readonly string[], told: string | undefined): string {
  const [whole, family] = [joined(base), joined(last)];
  if (base.length > last.length) {
    if (whole.endsWith(family)) return whole.slice(0, whole.length - family.length);
    if (whole.startsWith(family)) return whole.slice(family.length);
  }
  return told === undefined ? (base[0] ?? '') : joined(foldedWords(told));
}

const whole = (text: string): string => `n:${text}`;
const turned = (text: string): string => `t:${text}`;
const initial = (letter: string, last: string): string => `i:${letter} ${last}`;
const lastName = (text: string): string => `l:${text}`;

/** By what a player is found; see `keysOfPlayerQuery`. */
export function keysOfPlayer(player: NamedPlayerEntry): string[] {
  const { full, aliases, first, last } = playerNames(player);
  const keys = [full, ...aliases].flatMap(({ text, base }) => [whole(text), whole(joined(base)), ...halvesOf(text)]);
  if (last !== '') {
    keys.push(lastName(last));
    if (first !== '') keys.push(whole(first + last), turned(last + first), initial(letterOf(first), last));
  }
  return [...new Set(keys)];
}

/** A name that a player is looked for by. */
export interface PlayerQuery extends PersonName {
  /** The words around the comma of `Last, First`, without the suffix. */
  readonly comma: { readonly last: readonly string[]; readonly first: readonly string[] } | null;
  /** All ways to read it as an initial and a last name. */
  readonly initials: readonly { readonly letter: string; readonly last: string }[];
}

/** `P.Mahomes` are two words; `J.J.` stays one. */
const INITIAL_BEFORE_NAME = /(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}{2})/gu;

export function playerQuery(text: string): PlayerQuery {
  const apart = text.normalize('NFC').replace(INITIAL_BEFORE_NAME, '$1. ');
  const words = foldedWords(apart);
  const parts = apart
    .split(',')
    .map(foldedWords)
    .filter((part) => part.length > 0);
  const suffixes = parts.slice(1).filter(isSuffix);
  const [family, given, ...more] = parts.filter((part, index) => index === 0 || !isSuffix(part));
  const isTurned = family !== undefined && given !== undefined && more.length === 0;
  if (!isTurned) {
    const { base, suffix } = withoutSuffix(words);
    return { text: joined(words), base, suffix, comma: null, initials: initialsOf(base) };
  }
  // The suffix stands behind any part: Griffey Jr., Ken; Griffey, Ken, Jr.
  const [last, first] = [withoutSuffix(family), withoutSuffix(given)];
  const suffix = suffixes[0]?.[0] ?? first.suffix ?? last.suffix;
  const isInitial = first.base.length === 1 && isLetter(first.base[0]!);
  return {
    text: joined(words),
    base: [...last.base, ...first.base],
    suffix,
    comma: { last: last.base, first: first.base },
    initials: isInitial ? [{ letter: first.base[0]!, last: joined(last.base) }] : [],
  };
}

/** `L James` and `James L`. */
function initialsOf(base: readonly string[]): PlayerQuery['initials'] {
  if (base.length < 2) return [];
  const [front, behind] = [base[0]!, base.at(-1)!];
  return [
    ...(isLetter(front) ? [{ letter: front, last: joined(base.slice(1)) }] : []),
    ...(isLetter(behind) ? [{ letter: behind, last: joined(base.slice(0, -1)) }] : []),
  ];
}

/** Keys of those who are wholly so named, whatever suffix they have, or one of these other ways. */
export function wholeKeysOfPlayerQuery({ text, base, comma }: PlayerQuery, otherwise: readonly string[]): string[] {
  const reversed = comma ? [joined([...comma.first, ...comma.last])] : [];
  return unique([text, joined(base), ...reversed, ...otherwise]).map(whole);
}

/** Keys of those whom initials, a last name or names in turn may mean. */
export function partialKeysOfPlayerQuery({ base, comma, initials }: PlayerQuery): string[] {
  const text = joined(base);
  const plain = comma || text === '' ? [] : [lastName(text), turned(text)];
  return unique([...plain, ...initials.map(({ letter, last }) => initial(letter, last))]);
}

/** Keys of those whose name is mistyped, and of others. */
export const typoKeysOfPlayerQuery = ({ text }: PlayerQuery): string[] => [
  ...halvesOneEditAway(text),
  whole(turnedInTheMiddle(text)),
];

const letterOf = (text: string): string => [...text][0]!;
const isLetter = (word: string): boolean => [...word].length === 1 && /\p{L}/u.test(word);
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');
