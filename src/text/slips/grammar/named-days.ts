import { readIsoDate } from '../../query/date-phrases.ts';
import type { Token } from './slip-tokens.ts';

/** Days that a leg names: counted from today, of a weekday (0 is Sunday), or written out. */
export type NamedDay = { readonly shift: number } | { readonly weekday: number } | { readonly date: string };

const SHIFTS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tonight', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
  ['last night', -1],
]);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Most words say nothing of days: only these are looked at. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  ...[...SHIFTS.keys()].map((phrase) => phrase.split(' ')[0]!),
  ...WEEKDAYS,
]);

/** What a word, or two with a blank between them, say of days; undefined where they say nothing. */
function parseNamedDay(phrase: string): NamedDay | undefined {
  const shift = SHIFTS.get(phrase);
  if (shift !== undefined) return { shift };
  const weekday = WEEKDAYS.indexOf(phrase);
  if (weekday >= 0) return { weekday };
  const date = readIsoDate(phrase);
  return date === undefined ? undefined : { date };
}

/** The day that ends before a place, and of how many tokens it is. */
export function dayEndingAt(tokens: readonly Token[], end: number): readonly [NamedDay, length: number] | undefined {
  return dayOf(tokens, end - 2, 2) ?? dayOf(tokens, end - 1, 1);
}

/** The day that begins at a place, and of how many tokens it is. */
export const dayAt = (tokens: readonly Token[], at: number): readonly [NamedDay, length: number] | undefined =>
  dayOf(tokens, at, 2) ?? dayOf(tokens, at, 1);

function dayOf(tokens: readonly Token[], at: number, length: 1 | 2): readonly [NamedDay, number] | undefined {
  const [one, other] = [tokens[at], tokens[at + 1]];
  if (!one || (one.kind !== 'date' && !BEGINNINGS.has(one.text)) || (length === 2 && !other)) return undefined;
  const day = parseNamedDay(length === 1 ? one.text : `${one.text} ${other!.text}`);
  return day && [day, length];
}
