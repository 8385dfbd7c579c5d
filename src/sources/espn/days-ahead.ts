import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { easternDays } from '../provider-base/eastern-day.ts';

/** In the last days of a month the next one is asked for too. */
const LAST_DAYS = 7;

/**
 * How the days ahead of ESPN's leagues are asked for. Ranges of days are refused since September 2026. Soccer answers a
 * later day than tomorrow with nothing, but its month with everything.
 */
export class DaysAhead {
  readonly #way: 'auto' | 'day' | 'month';
  /** `league YYYYMM`: months that were refused, or were longer than an answer may be. */
  readonly #unusable = new Set<string>();

  constructor(way: 'auto' | 'day' | 'month') {
    this.#way = way;
  }

  /** The way of a league at a moment, in milliseconds. */
  wayOf(league: string, sport: string, now: number): 'day' | 'month' {
    const byMonth = this.#way === 'month' || (this.#way === 'auto' && playsLike(sport) === 'soccer');
    return byMonth && !monthsAhead(now).some((month) => this.#unusable.has(`${league} ${month}`)) ? 'month' : 'day';
  }

  /** The values of `dates` to ask for. */
  datesOf(league: string, sport: string, now: number): readonly string[] {
    return this.wayOf(league, sport, now) === 'month'
      ? monthsAhead(now)
      : easternDays(now).ahead.map(({ name }) => name);
  }

  /** A month of a league cannot be asked for, or not all of it is told. Anything else than a month is ignored. */
  markUnusable(league: string, dates: string | undefined): void {
    if (isMonth(dates)) this.#unusable.add(`${league} ${dates}`);
  }
}

export const isMonth = (dates: string | undefined): boolean => /^\d{6}$/.test(dates ?? '');

function monthsAhead(now: number): string[] {
  const { today, ahead } = easternDays(now);
  return [...new Set([today.name, ahead[LAST_DAYS - 1]!.name].map((name) => name.slice(0, 6)))];
}
