import type { EventStatus, League, SportSlug } from '../../domain/catalogue/catalogue.ts';
import { type DateRange, readDatePhrase, readIsoDate } from './date-phrases.ts';
import { LEAGUE_PHRASES, SPORT_PHRASES, STATUS_PHRASES, STOP_WORDS } from './query-vocabulary.ts';

/** What a phrase of the grammar means. */
export type Meaning =
  | { readonly of: 'nothing' }
  | { readonly of: 'sport'; readonly value: SportSlug }
  | { readonly of: 'league'; readonly value: League }
  | { readonly of: 'status'; readonly value: EventStatus }
  | { readonly of: 'limit'; readonly value: number }
  | { readonly of: 'days'; readonly value: DateRange }
  | { readonly of: 'iso date'; readonly value: string };

const MAX_DATE_WORDS = 3;
const MAX_PHRASE_WORDS = Math.max(MAX_DATE_WORDS, ...[...LEAGUE_PHRASES.keys()].map((one) => one.split(' ').length));

/** The longest phrase of the grammar that begins at a word, else the word alone. */
export function longestPhrase(
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
  const league = LEAGUE_PHRASES.get(phrase);
  if (league !== undefined) return { of: 'league', value: league };
  const status = STATUS_PHRASES.get(phrase);
  if (status !== undefined) return { of: 'status', value: status };
  const days = readDatePhrase(phrase, now);
  if (days !== undefined) return { of: 'days', value: days };
  const date = readIsoDate(phrase);
  return date === undefined ? undefined : { of: 'iso date', value: date };
}

const LIMIT = /^(?:[1-9][0-9]?|100)$/;
const UNITS: readonly string[] = ['day', 'days', 'week', 'weeks'];
const DIRECTIONS: readonly string[] = ['this', 'next', 'last'];

/** A number before `days` or `weeks` is not a limit of events. */
function meaningOfNumber(word: string, next: string | undefined): Meaning | undefined {
  const isCount = next !== undefined && UNITS.includes(next);
  return LIMIT.test(word) && !isCount ? { of: 'limit', value: Number(word) } : undefined;
}

/** Whether a word belongs to the grammar, by itself or as a part of words for days. */
export const isGrammarWord = (word: string, now: number): boolean =>
  meaningOf(word, now) !== undefined || LIMIT.test(word) || UNITS.includes(word) || DIRECTIONS.includes(word);
