import { type OutrightsDocument, outrights } from '../../../projections/odds/outrights.ts';
import { findLeague, seasonId, seasonYear } from '../../domain/catalogue/catalogue.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { offeredOutcomes } from '../operations/odds/season-outrights.ts';
import type { OddsApiSport } from './sport-keys.ts';

/** The market of our own that is theirs. */
export const WINNER = 'winner';
/** More bookmakers and markets than two seasons have. */
const MAX_BOOKS = 5000;

/** The season of the day, and the next one, which has prices long before. @param at milliseconds */
export function seasonsOf({ league }: OddsApiSport, at: number): readonly [number, number] {
  const year = seasonYear(findLeague(league)!, at);
  return [year, year + 1];
}

/** Whether a bookmaker offers who wins this season of the league, or the next one. @param at milliseconds */
export async function areSeasonsQuoted(store: DocumentReader, sport: OddsApiSport, at: number): Promise<boolean> {
  const ids = seasonsOf(sport, at).map((year) => seasonId(findLeague(sport.league)!, year));
  const found = await store.find<OutrightsDocument>(outrights.name, { where: { season_id: ids }, limit: MAX_BOOKS });
  return found.some(({ document }) => document.market === WINNER && offeredOutcomes(document).length > 0);
}
