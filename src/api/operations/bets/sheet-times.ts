import { parseTime } from '../../../domain/primitives/time.ts';
import { type UnreadCell, unread } from './sheet-cells.ts';

/** How a day such as 11/12/2026 is written. */
export type DayOrder = 'day first' | 'month first';

/** When a bet was placed, by the columns that may say so; empty: nothing. */
interface TimeCells {
  /** A day, perhaps with its time. */
  readonly date: string;
  /** Of the day. */
  readonly time: string;
}

const DAY = String.raw`(?:(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})|(?<first>\d{1,2})(?<sign>[-/.])(?<second>\d{1,2})\k<sign>(?<last>\d{4}))`;
const CLOCK = String.raw`(?:(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<seconds>\d\d)(?:\.\d+)?)?(?:\s*(?<half>[ap])\.?m\.?)?|(?<hours>\d{1,2})\s*(?<part>[ap])\.?m\.?)`;
const ZONE = String.raw`(?:\s*(?:z|utc))?`;
const MOMENT = new RegExp(`^${DAY}(?:(?:t|,?\\s+)(?<clock>${CLOCK})${ZONE})?$`, 'i');
const TIME = new RegExp(`^${CLOCK}${ZONE}$`, 'i');

const WANTED = 'must be a day, such as 2026-03-01, perhaps with its time in UTC, such as 11:00';
const EITHER_MONTH =
  'may be of either month: write it as 2026-12-31, or call the column date (mm/dd/yyyy) or date (dd/mm/yyyy)';

/**
 * When bets were placed, as UTC times. A day alone is its beginning.
 * @param stated the order that the sheet states; undefined: that which the days of the sheet show
 */
export function readTimes(rows: readonly TimeCells[], stated?: DayOrder): readonly (string | UnreadCell | undefined)[] {
  const shown = shownOrder(rows.map(({ date }) => date));
  const orderOf = (groups: Groups): DayOrder | undefined =>
    stated ?? ownOrder(groups) ?? shown ?? (groups['first'] === groups['second'] ? 'day first' : undefined);
  return rows.map((row) => (row.date === '' ? undefined : readTime(row, orderOf)));
}

function readTime({ date, time }: TimeCells, orderOf: (groups: Groups) => DayOrder | undefined): string | UnreadCell {
  if (parseTime(date) !== null) return date;
  const groups = MOMENT.exec(date)?.groups;
  if (!groups) return unread(date, WANTED);
  const day = dayOf(groups, orderOf(groups));
  if (day === undefined) return unread(date, EITHER_MONTH);
  const own = groups['clock'] === undefined ? undefined : clockOf(groups);
  // A spreadsheet writes a day as its midnight.
  const isDayAlone = groups['clock'] === undefined || own === MIDNIGHT;
  const clock = isDayAlone && time !== '' ? clockOf(TIME.exec(time)?.groups) : isDayAlone ? MIDNIGHT : own;
  if (clock === undefined)
    return unread(date, isDayAlone ? `must have a time in UTC, such as 11:00; “${time}” is none` : WANTED);
  const moment = `${day}T${clock}Z`;
  return parseTime(moment) === null ? unread(date, WANTED) : moment;
}

type Groups = Readonly<Record<string, string | undefined>>;

const twoDigits = (digits: string | number): string => String(digits).padStart(2, '0');

const MIDNIGHT = '00:00:00';

/** HH:MM:SS; undefined: it is none. */
function clockOf(groups: Groups | undefined): string | undefined {
  if (!groups) return undefined;
  const { hour, hours = hour, minute = '00', seconds = '00', half, part = half } = groups;
  if (part === undefined) return `${twoDigits(hours!)}:${minute}:${seconds}`;
  const number = Number(hours);
  if (number < 1 || number > 12) return undefined;
  return `${twoDigits((number % 12) + (/p/i.test(part) ? 12 : 0))}:${minute}:${seconds}`;
}

/** YYYY-MM-DD; undefined: the order is not known. */
function dayOf(groups: Groups, order: DayOrder | undefined): string | undefined {
  const { year, month, day, last } = groups;
  if (year !== undefined) return `${year}-${twoDigits(month!)}-${twoDigits(day!)}`;
  if (order === undefined) return undefined;
  const { first, second } = groups;
  const [d, m] = order === 'day first' ? [first!, second!] : [second!, first!];
  return `${last}-${twoDigits(m)}-${twoDigits(d)}`;
}

/** The order that a day shows by itself: no month is beyond 12, and with points the day is first. */
function ownOrder({ first, second, sign }: Groups): DayOrder | undefined {
  if (sign === '.' || Number(first) > 12) return 'day first';
  return Number(second) > 12 ? 'month first' : undefined;
}

/** The order that the days of a column show; undefined: none, or both. */
function shownOrder(cells: readonly string[]): DayOrder | undefined {
  const shown = new Set(
    cells.flatMap((cell) => {
      const groups = MOMENT.exec(cell)?.groups;
      return groups?.['first'] === undefined || groups['sign'] === '.' ? [] : (ownOrder(groups) ?? []);
    }),
  );
  const [order, ...others] = shown;
  return others.length === 0 ? order : undefined;
}
