import type { DayOrder } from './sheet-times.ts';

/** Names that people give to columns, by the names of the API. `time` is that of a day that stands in another column. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  price: ['odds'],
  american_odds: ['american', 'american_price', 'odds_american', 'price_american', 'us_odds', 'odds_us'],
  decimal: ['decimal_odds', 'decimal_price', 'odds_decimal', 'price_decimal', 'eu_odds', 'odds_eu', 'european_odds'],
  text: ['bet', 'pick', 'selection'],
  market_key: ['market'],
  line: ['point'],
  stake: ['risk', 'wager', 'amount', 'units'],
  book: ['bookmaker', 'sportsbook'],
  placed_at: ['date', 'placed'],
  time: [],
  clues_sport: ['sport'],
  clues_league: ['league'],
};
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([column, names]) => [column, ...names].map((name) => [name, column] as const)),
);

const plainOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');

/** A remark behind the name of a column: `Stake ($)`, `Date (DD/MM/YYYY)`. */
const REMARK = /\(([^()]*)\)\s*$/;
const MONTH_FIRST = /^m{1,2}[-/.]d{1,2}[-/.]y{1,4}$/i;
const DAY_FIRST = /^d{1,2}[-/.]m{1,2}[-/.]y{1,4}$/i;
const UNIVERSAL = /^(?:utc|gmt)$/i;

const remarkOf = (name: string): string => REMARK.exec(name)?.[1]?.trim() ?? '';

/** What the API calls a column; a name that it does not know in a form without blanks and signs. */
export function columnOf(name: string): string {
  const whole = plainOf(name);
  const known = NAMES.get(whole);
  if (known !== undefined) return known;
  const column = NAMES.get(plainOf(name.replace(REMARK, '')));
  if (column === undefined) return whole;
  // A time in another zone must not be taken for one in UTC.
  const isTime = column === 'placed_at' || column === 'time';
  const remark = remarkOf(name);
  return isTime && ![MONTH_FIRST, DAY_FIRST, UNIVERSAL].some((one) => one.test(remark)) ? whole : column;
}

/** The order of days that the name of a column states: `Date (DD/MM/YYYY)`; undefined: it states none. */
export function statedDayOrder(name: string): DayOrder | undefined {
  const remark = remarkOf(name);
  return MONTH_FIRST.test(remark) ? 'month first' : DAY_FIRST.test(remark) ? 'day first' : undefined;
}

const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** What stands between the names of the columns most often, outside of quotes. */
export function separatorOf(text: string): Separator {
  const header = /[^\r\n]+/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const counts = SEPARATORS.map((separator) => header.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}
