import type { EventStatus, SportSlug } from '../../domain/catalogue.ts';
import { areSameDays, type Days, fromFirstToLast, readDays, readIsoDate } from './days.ts';
import { SPORT_PHRASES, STATUS_PHRASES, STOP_WORDS } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** What a text asks of the list of events; null where it says nothing. */
export interface Interpreted {
  readonly sport: SportSlug | null;
  readonly status: EventStatus | null;
  readonly date: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number | null;
}

export interface Reading {
  readonly interpreted: Interpreted;
  /** The words that say nothing to the reader, in lower case, each once, in order. */
  readonly unrecognized: readonly string[];
}

/**
 * Reads a text by the fixed rules of docs/query.md. It guesses nothing: what it does not know it gives back.
 * @param now milliseconds
 */
export function readQuery(text: string, now: number): Reading {
  const words = wordsOf(text);
  const said: Said = {};
  const unrecognized = new Set<string>();
  for (let at = 0; at < words.length; ) {
    const { length, meaning } = longestPhrase(words, at, now);
    if (!meaning || !isTaken(meaning, said)) for (const word of words.slice(at, at + length)) unrecognized.add(word);
    at += length;
  }
  const { sport = null, status = null, days, limit = null } = said;
  const { date = null, from = null, to = null } = days ?? {};
  return { interpreted: { sport, status, date, from, to, limit }, unrecognized: [...unrecognized] };
}

/** The request that gives the events of a reading: its members in the order of the documentation, nulls left out. */
export function equivalentRequest({ sport, status, date, from, to, limit }: Interpreted): string {
  const members = Object.entries({ sport, status, date, from, to, limit }).filter(([, value]) => value !== null);
  const query = members.map(([name, value]) => `${name}=${value}`).join('&');
  return query === '' ? 'GET /v1/events' : `GET /v1/events?${query}`;
}

/** What the text has said so far. */
interface Said {
  sport?: SportSlug;
  status?: EventStatus;
  limit?: number;
  days?: Days;
  /** The days are this one date, written out. */
  isoDate?: string | undefined;
}

type Meaning =
  | { readonly of: 'nothing' }
  | { readonly of: 'sport'; readonly value: SportSlug }
  | { readonly of: 'status'; readonly value: EventStatus }
  | { readonly of: 'limit'; readonly value: number }
  | { readonly of: 'days'; readonly value: Days }
  | { readonly of: 'iso date'; readonly value: string };

const LONGEST = 3;

/** Of the phrases that begin at a word the longest that is known, else the word alone. */
function longestPhrase(
  words: readonly string[],
  at: number,
  now: number,
): { readonly length: number; readonly meaning: Meaning | undefined } {
  for (let length = Math.min(LONGEST, words.length - at); length > 1; length--) {
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
  const days = readDays(phrase, now);
  if (days !== undefined) return { of: 'days', value: days };
  const date = readIsoDate(phrase);
  return date === undefined ? undefined : { of: 'iso date', value: date };
}

const LIMIT = /^(?:[1-9][0-9]?|100)$/;
const UNITS: ReadonlySet<string | undefined> = new Set(['day', 'days', 'week', 'weeks']);

/** A number of days is no number of events. */
function meaningOfNumber(word: string, next: string | undefined): Meaning | undefined {
  return LIMIT.test(word) && !UNITS.has(next) ? { of: 'limit', value: Number(word) } : undefined;
}

/** Takes the meaning in. Of each kind the first counts; the same again changes nothing. @returns false for another one */
function isTaken(meaning: Meaning, said: Said): boolean {
  switch (meaning.of) {
    case 'nothing':
      return true;
    case 'sport':
      said.sport ??= meaning.value;
      return said.sport === meaning.value;
    case 'status':
      said.status ??= meaning.value;
      return said.status === meaning.value;
    case 'limit':
      said.limit ??= meaning.value;
      return said.limit === meaning.value;
    case 'days':
      said.days ??= meaning.value;
      return areSameDays(said.days, meaning.value);
    case 'iso date':
      return isDateTaken(meaning.value, said);
  }
}

/** A second date makes a range of the first. */
function isDateTaken(date: string, said: Said): boolean {
  if (said.days === undefined) {
    said.days = { date };
    said.isoDate = date;
    return true;
  }
  if (said.isoDate === undefined) return false;
  if (said.isoDate === date) return true;
  said.days = fromFirstToLast(said.isoDate, date);
  said.isoDate = undefined;
  return true;
}
