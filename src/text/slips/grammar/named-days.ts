import { readIsoDate } from '../../query/date-phrases.ts';
import type { Token } from './slip-tokens.ts';

/** A day named by a leg: relative to today, a weekday (0 is Sunday), or a date. */
export type NamedDay = { readonly shift: number } | { readonly weekday: number } | { readonly date: string };

const SHIFTS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tonight', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
  ['last night', -1],
]);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Only phrases with these first words are examined. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  ...[...SHIFTS.keys()].map((phrase) => phrase.split(' ')[0]!),
  ...WEEKDAYS,
]);

/** The day that one word, or two separated by a space, mean; undefined if none. */
function parseNamedDay(phrase: string): NamedDay | undefined {
  const shift = SHIFTS.get(phrase);
  if (shift !== undefined) return { shift };
  const weekday = WEEKDAYS.indexOf(phrase);
  if (weekday >= 0) return { weekday };
  const date = readIsoDate(phrase);
  return date === undefined ? undefined : { date };
}

/** The day whose tokens end before `end`, and its number of tokens. */
export function dayEndingAt(tokens: readonly Token[], end: number): readonly [NamedDay, length: number] | undefined {
  return dayOf(tokens, end - 2, 2) ?? dayOf(tokens, end - 1, 1);
}

/** The day whose tokens begin at `at`, and its number of tokens. */
export const dayAt = (tokens: readonly Token[], at: number): readonly [NamedDay, length: number] | undefined =>
  dayOf(tokens, at, 2) ?? dayOf(tokens, at, 1);

function dayOf(tokens: readonly Token[], at: number, length: 1 | 2): readonly [NamedDay, number] | undefined {
  const [one, other] = [tokens[at], tokens[at + 1]];
  if (!one || (one.kind !== 'date' && !BEGINNINGS.has(one.text)) || (length === 2 && !other)) return undefined;
  const day = parseNamedDay(length === 1 ? one.text : `${one.text} ${other!.text}`);
  return day && [day, length];
}
