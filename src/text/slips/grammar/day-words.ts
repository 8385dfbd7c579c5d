import { parseDate } from '../../../domain/primitives/time.ts';
import type { Token } from './slip-tokens.ts';

/** A day named by a leg: relative to today, a weekday (0 is Sunday), a date, or a date without its year. */
export type NamedDay =
  | { readonly shift: number }
  | { readonly weekday: number }
  | { readonly date: string }
  | { readonly month: number; readonly day: number };

const SHIFTS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tonight', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
  ['last night', -1],
]);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** Some are names too: a leg that cannot be read with them as days is read with them as parts of names. */
const SHORT_WEEKDAYS: ReadonlyMap<string, number> = new Map([
  ...WEEKDAYS.map((name, weekday) => [name.slice(0, 3), weekday] as const),
  ...([
    ['tues', 2],
    ['weds', 3],
    ['thur', 4],
    ['thurs', 4],
  ] as const),
]);
const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    ...['january', 'february', 'march', 'april', 'may', 'june'],
    ...['july', 'august', 'september', 'october', 'november', 'december'],
  ].flatMap((name, index) =>
    [name, name.slice(0, 3), `${name.slice(0, 3)}.`].map((word) => [word, index + 1] as const),
  ),
)
  .set('sept', 9)
  .set('sept.', 9);

/** Tokens of the longest day: `Nov 26, 2026`, `11/26/2026`. */
const MAX_DAY_TOKENS = 5;

type Day = readonly [NamedDay, length: number];

/** Whether short weekdays (`Wed`) are days where a day is looked for. */
export type ShortWeekdays = 'as days' | 'as names';

/** The day whose tokens end before `end`, and its number of tokens: the longest. */
export function dayEndingAt(tokens: readonly Token[], end: number, short: ShortWeekdays): Day | undefined {
  for (let length = Math.min(MAX_DAY_TOKENS, end); length > 0; length--) {
    const day = dayAt(tokens, end - length, short);
    if (day?.[1] === length) return day;
  }
  return undefined;
}

/** The day whose tokens begin at `at`, and its number of tokens: the longest. */
export function dayAt(tokens: readonly Token[], at: number, short: ShortWeekdays): Day | undefined {
  const first = tokens[at];
  if (!first) return undefined;
  if (first.kind === 'date') return parseDate(first.text) === null ? undefined : [{ date: first.text }, 1];
  if (first.kind === 'number') return writtenInNumbers(tokens, at) ?? writtenWithMonth(tokens, at);
  if (first.kind !== 'word') return undefined;
  return dayOfWord(tokens, at, short) ?? writtenWithMonth(tokens, at);
}

/** Whether a short weekday stands somewhere in the tokens. */
export const hasShortWeekday = (tokens: readonly Token[]): boolean =>
  tokens.some(({ text }) => SHORT_WEEKDAYS.has(withoutDot(text)));

const withoutDot = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);

function dayOfWord(tokens: readonly Token[], at: number, short: ShortWeekdays): Day | undefined {
  const { text } = tokens[at]!;
  const night = text === 'last' ? SHIFTS.get(`last ${tokens[at + 1]?.text}`) : undefined;
  if (night !== undefined) return [{ shift: night }, 2];
  const shift = SHIFTS.get(text);
  if (shift !== undefined) return [{ shift }, 1];
  const weekday = WEEKDAYS.indexOf(text);
  if (weekday >= 0) return [{ weekday }, 1];
  const shortWeekday = short === 'as days' ? SHORT_WEEKDAYS.get(withoutDot(text)) : undefined;
  return shortWeekday === undefined ? undefined : [{ weekday: shortWeekday }, 1];
}

/** `11/26`, `11/26/2026`, `11/26/26`: month and day. */
function writtenInNumbers(tokens: readonly Token[], at: number): Day | undefined {
  const [month, stroke, day, otherStroke, year] = tokens.slice(at, at + MAX_DAY_TOKENS);
  if (stroke?.text !== '/' || !touches(month, stroke, day) || !isCount(month) || !isCount(day)) return undefined;
  const hasYear =
    otherStroke?.text === '/' && /^(\d\d|\d{4})$/.test(year?.text ?? '') && touches(day, otherStroke, year);
  const date = dateOf(month.value, day.value, hasYear ? year! : undefined);
  return date && [date, hasYear ? 5 : 3];
}

/** `Nov 26`, `November 26th`, `Nov 26, 2026`; `26 Nov`, `26th November`, `26 Nov 2026`. */
function writtenWithMonth(tokens: readonly Token[], at: number): Day | undefined {
  const pair = [tokens[at]!.text, tokens[at + 1]?.text ?? ''];
  const isMonthFirst = MONTHS.has(pair[0]!);
  const [name, number] = isMonthFirst ? pair : pair.toReversed();
  const month = MONTHS.get(name!);
  const [, day] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(number!) ?? [];
  if (month === undefined || day === undefined) return undefined;
  const comma = isMonthFirst && tokens[at + 2]?.text === ',' ? 1 : 0;
  const year = tokens[at + 2 + comma];
  const hasYear = /^\d{4}$/.test(year?.text ?? '');
  const date = dateOf(month, Number(day), hasYear ? year : undefined);
  return date && [date, hasYear ? 3 + comma : 2];
}

const isCount = (token: Token | undefined): token is Token => token?.kind === 'number' && /^\d{1,2}$/.test(token.text);

const touches = (...tokens: readonly (Token | undefined)[]): boolean =>
  tokens.every((token, index) => index === 0 || (token !== undefined && token.start === tokens[index - 1]?.end));

/** Undefined if there is no such day. */
function dateOf(month: number, day: number, year: Token | undefined): NamedDay | undefined {
  // 2000 was a leap year.
  const number = year === undefined ? 2000 : year.value < 100 ? 2000 + year.value : year.value;
  const date = `${String(number).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  if (parseDate(date) === null) return undefined;
  return year === undefined ? { month, day } : { date };
}
