import type { EventStatus, SportSlug } from '../../domain/catalogue/catalogue.ts';
import { type DateRange, isSameDateRange, rangeOfDates, readDatePhrase, readIsoDate } from './date-phrases.ts';
import { SPORT_PHRASES, STATUS_PHRASES, STOP_WORDS } from './query-vocabulary.ts';

/** The filters that a text asks for; null if not mentioned. */
interface InterpretedQuery {
  readonly sport: SportSlug | null;
  readonly status: EventStatus | null;
  readonly date: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number | null;
}

export interface QueryReading {
  readonly interpreted: InterpretedQuery;
  /** The words that were not understood, in lower case, each once, in order. */
  readonly unrecognized: readonly string[];
}

/**
 * Interprets a text by the fixed rules of docs/query.md. Never guesses: returns the words that it does not know.
 * @param now milliseconds
 */
export function readQuery(text: string, now: number): QueryReading {
  const words = splitQueryWords(text);
  const parsed: ParsedMeanings = {};
  const unrecognized = new Set<string>();
  for (let at = 0; at < words.length; ) {
    const { length, meaning } = longestPhrase(words, at, now);
    if (!meaning || !acceptMeaning(meaning, parsed))
      for (const word of words.slice(at, at + length)) unrecognized.add(word);
    at += length;
  }
  const { sport = null, status = null, days, limit = null } = parsed;
  const { date = null, from = null, to = null } = days ?? {};
  return { interpreted: { sport, status, date, from, to, limit }, unrecognized: [...unrecognized] };
}

/** The request with the same result: members in the order of the documentation, without nulls. */
export function equivalentRequest({ sport, status, date, from, to, limit }: InterpretedQuery): string {
  const members = Object.entries({ sport, status, date, from, to, limit }).filter(([, value]) => value !== null);
  const query = members.map(([name, value]) => `${name}=${value}`).join('&');
  return query === '' ? 'GET /v1/events' : `GET /v1/events?${query}`;
}

/** The meanings found so far. */
interface ParsedMeanings {
  sport?: SportSlug;
  status?: EventStatus;
  limit?: number;
  days?: DateRange;
  /** The single date, if the days are one date written as YYYY-MM-DD. */
  isoDate?: string | undefined;
}

type Meaning =
  | { readonly of: 'nothing' }
  | { readonly of: 'sport'; readonly value: SportSlug }
  | { readonly of: 'status'; readonly value: EventStatus }
  | { readonly of: 'limit'; readonly value: number }
  | { readonly of: 'days'; readonly value: DateRange }
  | { readonly of: 'iso date'; readonly value: string };

const MAX_PHRASE_WORDS = 3;

/** The longest known phrase that begins at a word, else the word alone. */
function longestPhrase(
  words: readonly string[],
  at: number,
  now: number,
): { readonly length: number; readonly meaning: Meaning | undefined } {
  for (let length = Math.min(MAX_PHRASE_WORDS, words.length - at); length > 1; length--) {
    const meaning = meaningOf(words.slice(at, at + length).join(' '), now);
    if (meaning) return { length, meaning };
  }
  const word = words[at]!;
  return { length: 1, meaning: meaningOf(word, now) ?? meaningOfNumber(word, words[at + 1]) };
}

function meaningOf(phrase: string, now: number): Meaning | undefined {
  if (STOP_WORDS.has(phrase)) return { of: 'nothing' };
  const sport = SPORT_PHRASES.get(phrase);
  if (sport !== undefined) return { of: 'sport', value: sport };
  const status = STATUS_PHRASES.get(phrase);
  if (status !== undefined) return { of: 'status', value: status };
  const days = readDatePhrase(phrase, now);
  if (days !== undefined) return { of: 'days', value: days };
  const date = readIsoDate(phrase);
  return date === undefined ? undefined : { of: 'iso date', value: date };
}

const LIMIT = /^(?:[1-9][0-9]?|100)$/;
const UNITS: ReadonlySet<string | undefined> = new Set(['day', 'days', 'week', 'weeks']);

/** A number before `days` or `weeks` is not a limit of events. */
function meaningOfNumber(word: string, next: string | undefined): Meaning | undefined {
  return LIMIT.test(word) && !UNITS.has(next) ? { of: 'limit', value: Number(word) } : undefined;
}

/**
 * Accepts a meaning. The first of each kind counts; repeating it changes nothing. @returns false for a different one
 */
function acceptMeaning(meaning: Meaning, parsed: ParsedMeanings): boolean {
  switch (meaning.of) {
    case 'nothing':
      return true;
    case 'sport':
      parsed.sport ??= meaning.value;
      return parsed.sport === meaning.value;
    case 'status':
      parsed.status ??= meaning.value;
      return parsed.status === meaning.value;
    case 'limit':
      parsed.limit ??= meaning.value;
      return parsed.limit === meaning.value;
    case 'days':
      parsed.days ??= meaning.value;
      return isSameDateRange(parsed.days, meaning.value);
    case 'iso date':
      return acceptDate(meaning.value, parsed);
  }
}

/** A second date turns the first into a range. */
function acceptDate(date: string, parsed: ParsedMeanings): boolean {
  if (parsed.days === undefined) {
    parsed.days = { date };
    parsed.isoDate = date;
    return true;
  }
  if (parsed.isoDate === undefined) return false;
  if (parsed.isoDate === date) return true;
  parsed.days = rangeOfDates(parsed.isoDate, date);
  parsed.isoDate = undefined;
  return true;
}

/** Apostrophes, straight and curly. */
const APOSTROPHES = "'‘’";
const TRAILING_SIGNS = `.:${APOSTROPHES}`;

/** Separators: white space, control characters, and some punctuation unless between two digits. */
const SEPARATORS = /[\p{Z}\p{Cc}]|(?<!\p{N})[,;!?()[\]{}"“”«»]|[,;!?()[\]{}"“”«»](?!\p{N})/u;
const FORMAT = /\p{Cf}/gu;
const DIGIT = /\p{N}/u;

/**
 * The words of a text as defined in docs/query.md: lower case, compatibility form. Linear in the length of the text.
 */
export function splitQueryWords(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replace(FORMAT, '');
  return plain.split(SEPARATORS).flatMap(wordsOfPiece);
}

/** A piece with a digit is not split: `2026-03-01`, `9/20` and `1,000` have one meaning. */
function wordsOfPiece(piece: string): string[] {
  const trimmed = withoutPossessive(trim(piece));
  if (DIGIT.test(trimmed)) return [trimmed];
  return trimmed
    .replace(/['‘’]/g, '')
    .split(/\p{P}/u)
    .filter((word) => word !== '');
}

/** Without a pattern: one anchored to the end would retry from every character. */
function trim(piece: string): string {
  let start = 0;
  let end = piece.length;
  while (start < end && APOSTROPHES.includes(piece[start]!)) start++;
  while (end > start && TRAILING_SIGNS.includes(piece[end - 1]!)) end--;
  return piece.slice(start, end);
}

const withoutPossessive = (piece: string): string =>
  piece.endsWith("'s") || piece.endsWith('’s') ? piece.slice(0, -2) : piece;
