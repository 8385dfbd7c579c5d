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

/** The day of a moment (milliseconds), or one so many days later. */
export function easternDay(moment: number, days = 0): EasternDay {
  const start = DateTime.fromMillis(moment, { zone: ZONE }).startOf('day').plus({ days });
  return { name: start.toFormat('yyyyMMdd'), from: start.toMillis(), to: start.plus({ days: 1 }).toMillis() };
}

export const isWithin = ({ from, to }: EasternDay, moment: number): boolean => moment >= from && moment < to;
