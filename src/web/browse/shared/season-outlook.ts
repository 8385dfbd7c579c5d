import { LRUCache } from 'lru-cache';
import { ApiError } from '../../../api/calls/api-errors.ts';
import { getProjections } from '../../../api/operations/intelligence/get-projections.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import { resultWorthOf } from '../../../domain/standings/result-worth.ts';
import { formatPercent } from '../../live/page/view-model/odds-format.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { UNKNOWN } from '../panels.ts';

/** As `get_projections` answers. */
export type SeasonOutlook = Awaited<ReturnType<typeof getProjections.run>>;
export type OutlookRow = SeasonOutlook['rows'][number];

/** What a season may end with, in the order in which it is shown. */
export const CHANCE_NAMES = {
  title: 'Title',
  promotion: 'Promotion',
  playoffs: 'Playoffs',
  relegation: 'Relegation',
} as const;
export type ChanceName = keyof typeof CHANCE_NAMES;
export const CHANCES = Object.keys(CHANCE_NAMES) as ChanceName[];

/** How the rest of a season may go; undefined where nothing is left of it, or nothing can be said. */
export type ReadSeasonOutlook = (slug: string, season: number) => Promise<SeasonOutlook | undefined>;

/** As long as the API's answer may be kept. */
const KEPT_SECONDS = 300;
/** Of all seasons of all leagues. */
const MAX_KEPT = 64;

/** Thousands of seasons are played for one answer, so all pages share it for some minutes. */
export function createSeasonOutlooks(call: KeylessCall, now: () => number): ReadSeasonOutlook {
  const kept = new LRUCache<string, { readonly until: number; readonly outlook: Promise<SeasonOutlook | undefined> }>({
    max: MAX_KEPT,
  });

  async function read(slug: string, season: number): Promise<SeasonOutlook | undefined> {
    try {
      const outlook = await call(getProjections, { slug, season });
      return outlook.available && outlook.games_left > 0 ? outlook : undefined;
    } catch (error) {
      // A tour of players has no table.
      if (error instanceof ApiError && error.code === 'bad_request') return undefined;
      throw error;
    }
  }

  return async (slug, season) => {
    const key = `${slug} ${season}`;
    const known = kept.get(key);
    if (known && known.until > now()) return known.outlook;
    const outlook = read(slug, season);
    kept.set(key, { until: now() + KEPT_SECONDS * 1000, outlook });
    try {
      const found = await outlook;
      // What cannot be said yet may be known in a minute, and is soon found out.
      if (found === undefined) kept.delete(key);
      return found;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}

/** `Expected points`; in leagues that count wins `Expected wins`. */
export const expectedHeading = ({ league }: SeasonOutlook): string =>
  resultWorthOf({ sport: findLeague(league)!.sport, league }).hasPoints ? 'Expected points' : 'Expected wins';

/** `12.3%`. What is neither sure nor impossible is never shown as if it were. */
export function chanceText(chance: number | null | undefined): string {
  if (chance == null) return UNKNOWN;
  if (chance > 0 && chance < 0.001) return '< 0.1%';
  if (chance < 1 && chance > 0.999) return '> 99.9%';
  return formatPercent(chance);
}

/** The chances that a season decides at all, and whether anybody has prices of them. */
export const chancesIn = (
  rows: readonly OutlookRow[],
): readonly { readonly name: ChanceName; readonly isPriced: boolean }[] =>
  CHANCES.filter((name) => rows.some((row) => row[name] != null)).map((name) => ({
    name,
    isPriced: rows.some(({ market }) => market[name] != null),
  }));
