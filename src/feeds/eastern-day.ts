import { DateTime } from 'luxon';

/** Days of American sport begin and end by this clock. */
const ZONE = 'America/New_York';

/** A US Eastern day. */
export interface EasternDay {
  /** As providers write it in addresses: `20261123`. */
  readonly name: string;
  /** Milliseconds; the end is the beginning of the next day. */
  readonly from: number;
  readonly to: number;
}

/** What was asked last, by how many days later: the same day is asked for all day, and to find it takes long. */
const lately = new Map<number, { readonly own: EasternDay; readonly day: EasternDay }>();

/** The day of a moment (milliseconds), or one so many days later. */
export function easternDay(moment: number, days = 0): EasternDay {
  const known = lately.get(days);
  if (known && isWithin(known.own, moment)) return known.day;
  const start = DateTime.fromMillis(moment, { zone: ZONE }).startOf('day');
  const day = dayOf(start.plus({ days }));
  if (Math.abs(days) <= MOST_KEPT) lately.set(days, { own: dayOf(start), day });
  return day;
}

const MOST_KEPT = 10;

const dayOf = (start: DateTime): EasternDay => ({
  ...{ name: start.toFormat('yyyyMMdd'), from: start.toMillis() },
  to: start.plus({ days: 1 }).toMillis(),
});

export const isWithin = ({ from, to }: EasternDay, moment: number): boolean => moment >= from && moment < to;
