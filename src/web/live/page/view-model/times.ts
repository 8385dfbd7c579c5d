/** Times for people, in the viewer's own zone by default. Only tests give `zone` and `locale`. */
interface TimeFormatOptions {
  readonly locale?: string;
  readonly zone?: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format is slow; using it is fast. */
function cachedFormat(
  name: string,
  options: Intl.DateTimeFormatOptions,
  { locale, zone }: TimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${name} ${locale ?? ''} ${zone ?? ''}`;
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(locale, zone ? { ...options, timeZone: zone } : options);
    formats.set(key, made);
  }
  return made;
}

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const SECONDS: Intl.DateTimeFormatOptions = { ...CLOCK, second: '2-digit' };
const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };

/** `19:30` */
export const clockTime = (at: string | number, manner: TimeFormatOptions = {}): string =>
  cachedFormat('clock', CLOCK, manner).format(new Date(at));

/** `19:30:05` */
export const clockTimeWithSeconds = (at: string | number, manner: TimeFormatOptions = {}): string =>
  cachedFormat('seconds', SECONDS, manner).format(new Date(at));

/** `Sat, 21 Nov`, with the year if it is not the present one. */
export function shortDay(at: string | number, manner: TimeFormatOptions = {}, now = Date.now()): string {
  const date = new Date(at);
  if (date.getUTCFullYear() === new Date(now).getUTCFullYear()) return cachedFormat('day', DAY, manner).format(date);
  return cachedFormat('day of a year', { ...DAY, year: 'numeric' }, manner).format(date);
}

/** `Sat, 21 Nov 19:30` */
export const dayAndClock = (at: string | number, manner: TimeFormatOptions = {}, now = Date.now()): string =>
  `${shortDay(at, manner, now)} ${clockTime(at, manner)}`;

const IN_FULL: Intl.DateTimeFormatOptions = {
  ...CLOCK,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZoneName: 'short',
};

/** `21 Nov 2026, 19:30 UTC`: as every page of the server writes a time. */
export const timeInFull = (at: string | number, { locale = 'en-GB', zone }: TimeFormatOptions = {}): string =>
  cachedFormat('in full', IN_FULL, { locale, ...(zone !== undefined && { zone }) }).format(new Date(at));

/** The start of an event on the board of its UTC day: `19:30`, or `Sun 02:30` if the viewer's day differs. */
export function startTime(at: string, manner: TimeFormatOptions = {}): string {
  const local = cachedFormat(
    'date only',
    { year: 'numeric', month: '2-digit', day: '2-digit' },
    { ...manner, locale: 'en-CA' },
  );
  if (local.format(new Date(at)) === at.slice(0, 10)) return clockTime(at, manner);
  return `${cachedFormat('weekday', { weekday: 'short' }, manner).format(new Date(at))} ${clockTime(at, manner)}`;
}

/** The moment in UTC, for a title: `2026-11-21 19:30:05 UTC` */
export const inUtc = (at: string | number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/**
 * A day of the board, `2026-11-21`, in words, with its year if it is not the present one. A day is no moment, so no
 * zone changes it.
 */
export function dayInWords(
  date: string,
  now: number,
  locale?: string,
): { readonly weekday: string; readonly day: string } {
  const at = new Date(`${date}T12:00:00Z`);
  const manner = { locale, zone: 'UTC' };
  const isThisYear = at.getUTCFullYear() === new Date(now).getUTCFullYear();
  return {
    weekday: cachedFormat('long weekday', { weekday: 'long' }, manner).format(at),
    day: isThisYear
      ? cachedFormat('date', { day: 'numeric', month: 'long' }, manner).format(at)
      : cachedFormat('date of a year', { day: 'numeric', month: 'long', year: 'numeric' }, manner).format(at),
  };
}
