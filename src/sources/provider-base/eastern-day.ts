import { DateTime } from 'luxon';

/** Days of American sport begin and end in this zone. */
const ZONE = 'America/New_York';
const DAYS_AHEAD = 7;

/** A US Eastern day. */
export interface EasternDay {
  /** As providers write it in addresses: `20261123`. */
  readonly name: string;
  /** Milliseconds; the end is the beginning of the next day. */
  readonly from: number;
  readonly to: number;
}

/** The days around a moment that are polled. */
interface EasternDays {
  readonly yesterday: EasternDay;
  readonly today: EasternDay;
  /** The next seven days, in order. */
  readonly ahead: readonly EasternDay[];
}

/** Computing with a time zone is slow, and the result is the same for a day. */
let last: EasternDays | undefined;

/** @param moment in milliseconds */
export function easternDays(moment: number): EasternDays {
  if (last && isWithin(last.today, moment)) return last;
  const midnight = DateTime.fromMillis(moment, { zone: ZONE }).startOf('day');
  const day = (shift: number): EasternDay => {
    const start = midnight.plus({ days: shift });
    return { name: start.toFormat('yyyyMMdd'), from: start.toMillis(), to: start.plus({ days: 1 }).toMillis() };
  };
  const ahead = Array.from({ length: DAYS_AHEAD }, (_, index) => day(index + 1));
  last = { yesterday: day(-1), today: day(0), ahead };
  return last;
}

export const isWithin = ({ from, to }: EasternDay, moment: number): boolean => moment >= from && moment < to;
