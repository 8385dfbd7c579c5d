const UTC_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Messages that arrive together often have the same times, so the last parsed times are cached. */
const MAX_CACHED_TIMES = 1000;
const parsedTimes = new Map<string, number | null>();

/** Parses a UTC ISO 8601 time with a trailing Z to milliseconds; null if invalid (such as 31 February). */
export function parseTime(text: string): number | null {
  const cached = parsedTimes.get(text);
  if (cached !== undefined) return cached;
  const time = parseUncachedTime(text);
  // A longer text is never a time, so it is not cached.
  if (text.length > 30) return time;
  if (parsedTimes.size >= MAX_CACHED_TIMES) parsedTimes.clear();
  parsedTimes.set(text, time);
  return time;
}

function parseUncachedTime(text: string): number | null {
  const parts = UTC_TIME.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = ''] = parts;
  const milliseconds = Number((fraction + '000').slice(0, 3));
  const date = new Date(Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second, milliseconds));
  // Date.UTC maps the years 0 to 99 to 1900 to 1999. There is no year 0.
  if (+year! > 0 && +year! < 100) date.setUTCFullYear(+year!, +month! - 1, +day!);
  const same = date.getUTCMonth() === +month! - 1 && date.getUTCDate() === +day! && date.getUTCHours() === +hour!;
  return same && +minute! < 60 && +second < 60 && date.getUTCFullYear() === +year! ? date.getTime() : null;
}

let lastFormatted = { milliseconds: Number.NaN, text: '' };

/** The canonical spelling of a time: ISO 8601, Z, milliseconds only if not zero. */
export function formatTime(milliseconds: number): string {
  // Consecutive calls often have the same time.
  if (milliseconds === lastFormatted.milliseconds) return lastFormatted.text;
  lastFormatted = { milliseconds, text: format(milliseconds) };
  return lastFormatted.text;
}

function format(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

/** Parses a YYYY-MM-DD date to milliseconds at 00:00Z; null if invalid. */
export const parseDate = (text: string): number | null => (DATE.test(text) ? parseTime(`${text}T00:00:00Z`) : null);

/** The UTC date of a time, YYYY-MM-DD. */
export const formatDate = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The last UTC midnight at or before a moment. */
export const utcMidnightOf = (moment: number): number => Math.floor(moment / DAY) * DAY;

/** The UTC month of a time in milliseconds: `2026-11`. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** The start of a month in milliseconds. @param month `2026-11` */
export const startOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

/** The start of the next month. */
export function startOfNextMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export interface RestOfMonth {
  /** Today included. */
  readonly daysLeft: number;
  readonly days: number;
}

export function restOfMonth(time: number): RestOfMonth {
  const days = (startOfNextMonth(time) - startOfMonth(monthOf(time))) / DAY;
  return { daysLeft: days - new Date(time).getUTCDate() + 1, days };
}

/** The share of a monthly amount for the rest of the month, rounded up. Exact up to 2^53 / 31. */
export const prorate = (monthlyAmount: number, { daysLeft, days }: RestOfMonth): number =>
  Math.floor((monthlyAmount * daysLeft + days - 1) / days);
