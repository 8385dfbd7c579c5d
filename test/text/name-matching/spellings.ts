/** Ways to write a name, by kind of change. Each draws from `random`, and returns undefined if it does not apply. */
export type Spelling = (name: string, random: () => number) => string | undefined;

const SUFFIX = /,? (?:Jr\.?|Sr\.?|II|III|IV|V)$/;
const changed = (name: string, made: string): string | undefined => (made === name || made === '' ? undefined : made);
export const withoutSuffix = (name: string): string => name.replace(SUFFIX, '');
const one = <T>(of: readonly T[], random: () => number): T => of[Math.floor(random() * of.length)]!;

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(
      /[øØđĐłŁßıðæ]/g,
      (letter) => ({ ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', ß: 'ss' })[letter] ?? letter,
    );

const written: Spelling = (name) => name;
const inOtherCase: Spelling = (name, random) =>
  one(
    [name.toLowerCase(), name.toUpperCase(), [...name].map((l, i) => (i % 2 ? l.toUpperCase() : l)).join('')],
    random,
  );
const withoutAccents: Spelling = (name) => changed(name, plain(name));
const otherPunctuation: Spelling = (name, random) =>
  changed(
    name,
    one(
      [
        name.replaceAll('-', ' '),
        name.replace(/[.'’]/g, ''),
        name.replaceAll("'", '’'),
        ` ${name.replaceAll(' ', '  ')} `,
        name.replace(' ', '-'),
      ],
      random,
    ),
  );
/** One letter added, removed or replaced, or two swapped. */
const mistyped: Spelling = (name, random) => {
  const letters = [...name];
  const at = Math.floor(random() * (letters.length - 1));
  const letter = one([...'abcdefghijklmnopqrstuvwxyz'], random);
  const kind = Math.floor(random() * 4);
  if (kind === 0) letters.splice(at, 1);
  else if (kind === 1) letters.splice(at, 0, letter);
  else if (kind === 2) letters[at] = letter;
  else letters.splice(at, 2, letters[at + 1]!, letters[at]!);
  return changed(name, letters.join(''));
};

/** First name, last name, and the suffix with the space before it. */
function parts(name: string): { first: string; last: string; suffix: string } | undefined {
  const suffix = SUFFIX.exec(name)?.[0] ?? '';
  const base = name.slice(0, name.length - suffix.length);
  const space = base.indexOf(' ');
  return space < 0 ? undefined : { first: base.slice(0, space), last: base.slice(space + 1), suffix };
}
const inParts =
  (make: (of: { first: string; last: string; suffix: string }, random: () => number) => string): Spelling =>
  (name, random) => {
    const of = parts(name);
    return of && changed(name, make(of, random));
  };

const SHORT: Readonly<Record<string, readonly string[]>> = {
  Michael: ['Mike', 'Mikey'],
  Christopher: ['Chris'],
  William: ['Will', 'Bill', 'Willy'],
  Robert: ['Rob', 'Bob'],
  Matthew: ['Matt'],
  Joshua: ['Josh'],
  Joseph: ['Joe'],
  Nicholas: ['Nick'],
  Kenneth: ['Ken'],
  Timothy: ['Tim'],
};

export const PLAYER_SPELLINGS: Readonly<Record<string, Spelling>> = {
  'as written': written,
  case: inOtherCase,
  accents: withoutAccents,
  punctuation: otherPunctuation,
  initial: inParts(({ first, last, suffix }, random) =>
    one(
      [`${first[0]}. ${last}${suffix}`, `${first[0]} ${last}`, `${first[0]}.${last}`, `${last} ${first[0]}.`],
      random,
    ),
  ),
  'suffix left out': (name) => changed(name, withoutSuffix(name)),
  'suffix added': (name, random) =>
    SUFFIX.test(name) ? undefined : `${name}${one([' Jr.', ', Jr.', ' III'], random)}`,
  'another suffix': (name) => (SUFFIX.test(name) ? name.replace(SUFFIX, ' V') : undefined),
  reversed: inParts(({ first, last, suffix }) => `${last}${suffix}, ${first}`),
  turned: inParts(({ first, last }) => `${last} ${first}`),
  'last name': inParts(({ last }) => last),
  'first name': inParts(({ first }) => first),
  'short given name': inParts(({ first, last, suffix }, random) =>
    SHORT[first] ? `${one(SHORT[first], random)} ${last}${suffix}` : '',
  ),
  typo: mistyped,
};

export const TEAM_SPELLINGS: Readonly<Record<string, Spelling>> = {
  'as written': written,
  case: inOtherCase,
  accents: withoutAccents,
  punctuation: otherPunctuation,
  'closing words': inParts(({ last }) => last),
  'opening word': inParts(({ first }) => first),
  'abbreviated place': (name) =>
    changed(
      name,
      name.replace('Los Angeles', 'LA').replace('New York', 'N.Y.').replace('St. ', 'Saint ').replace('United', 'Utd'),
    ),
  'with an affix': (name, random) => one([`${name} FC`, `FC ${name}`, `${name} 04`], random),
  'without an affix': (name) => changed(name, name.replace(/^(?:AFC|FC|AC|AS|SC|AJ|TSG|VfB|VfL) | (?:FC|CF|05)$/, '')),
  typo: mistyped,
};

/** The letters and digits of a name: players with equal ones are right answers, whatever the spelling was made from. */
export const lettersOf = (name: string): string =>
  plain(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
