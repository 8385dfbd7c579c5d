const MARKS = /\p{M}+/gu;
const SEPARATORS = /[^\p{L}\p{N}'’.`]+/u;
const PUNCTUATION = /[^\p{L}\p{N}]+/gu;
/** Letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
};
const LETTER = /[øđðłßæœıþ]/g;

/** Lower case without accents, as the parameter `q` compares. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter]!);

/**
 * Normalizes a name for comparison: ignores case, accents, spaces and punctuation; `St` becomes `State`. No fuzzy
 * matching: two names are equal or not.
 */
export function normalizeName(name: string): string {
  let normalized = normalizedNames.get(name);
  if (normalized === undefined) {
    normalized = computeNormalizedName(name);
    if (normalizedNames.size >= MAX_CACHED_NAMES) normalizedNames.clear();
    normalizedNames.set(name, normalized);
  }
  return normalized;
}

/** Cached, because the same names come with every match. */
const MAX_CACHED_NAMES = 5000;
const normalizedNames = new Map<string, string>();

function computeNormalizedName(name: string): string {
  const words = foldText(name)
    .split(SEPARATORS)
    .map((word) => word.replace(PUNCTUATION, ''))
    .map((word) => (word === 'st' ? 'state' : word));
  return words.join('') || name.trim().toLowerCase();
}

/** Normalizes a doubles pair, in either order of its players: `A. Smith / B. Jones`. */
export const normalizePair = (name: string): string => name.split('/').map(normalizeName).sort().join('+');

/** A slug for URLs: `Kansas City Chiefs` becomes `kansas-city-chiefs`. */
export const slugify = (name: string): string =>
  foldText(name)
    .replace(/['’.`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'unnamed';
