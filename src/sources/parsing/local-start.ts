import { DateTime } from 'luxon';

/** The start of a match in milliseconds. If only the date is known, it is 00:00Z of that date. */
interface LocalStart {
  readonly startsAt: number;
  readonly tbd: boolean;
}

const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/;
const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d)$/;
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** Years of two digits are 1970 to 2069. */
const fullYear = (text: string): number => (text.length === 4 ? +text : +text < 70 ? 2000 + +text : 1900 + +text);

/** Reads a date (`2020-09-12`, `12/09/2020`, `12/09/20`) and a local time in a zone (`19:45`, `19:45:00`, or none).
 *  Undefined if either cannot be read. */
export function localStart(date: string, time: string, zone: string): LocalStart | undefined {
  const iso = ISO_DATE.exec(date);
  const dayFirst = DAY_FIRST.exec(date);
  if (!iso && !dayFirst) return undefined;
  const [year, month, day] = iso
    ? [+iso[1]!, +iso[2]!, +iso[3]!]
    : [fullYear(dayFirst![3]!), +dayFirst![2]!, +dayFirst![1]!];
  const clock = TIME.exec(time);
  if (!clock && time !== '') return undefined;
  const [hour, minute, second] = clock ? [+clock[1]!, +clock[2]!, +(clock[3] ?? 0)] : [0, 0, 0];
  const start = DateTime.fromObject({ year, month, day, hour, minute, second }, { zone: clock ? zone : 'utc' });
  return start.isValid ? { startsAt: start.toMillis(), tbd: !clock } : undefined;
}
