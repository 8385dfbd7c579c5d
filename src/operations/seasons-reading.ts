import type { OperationContext } from './operation.ts';

/** A season that today lies in, as a league shows it. Dates are YYYY-MM-DD. */
export interface CurrentSeason {
  readonly league: string;
  readonly season: {
    readonly id: number;
    readonly year: number;
    readonly name: string;
    readonly phase: 'preseason' | 'regular_season' | 'playoffs';
    readonly start_date: string;
    readonly end_date: string;
  };
}

/** At most one season for each league. */
export async function currentSeasons(_context: OperationContext): Promise<readonly CurrentSeason[]> {
  return [];
}
