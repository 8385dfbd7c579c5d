import { asRecord, type Json } from '../importing/json-file.ts';
import type { NoteBook } from '../importing/note-book.ts';
import { fractionalPrice, handicap, totalLine } from './price.ts';

/**
 * The markets of the form `bettingOdds.teamOdds`: names such as `preMatchMoneyLineAway`, fractional prices, and lines
 * under `...Handicap...`.
 */
export function bettingOddsMarkets(given: Json, notes: NoteBook): Json[] {
  const odds = asRecord(given['teamOdds']);
  const value = (name: string): unknown => asRecord(odds[`preMatch${name}`])['value'];
  const market = (key: string, outcomes: readonly Json[]): Json[] => (outcomes.length > 0 ? [{ key, outcomes }] : []);
  const priced = (outcome: string, name: string, point?: number): Json[] => {
    const price = fractionalPrice(value(name));
    if (price === undefined) return [];
    return [point === undefined ? { outcome, price } : { outcome, price, point }];
  };
  const [home, away] = [handicap(value('SpreadHandicapHome')), handicap(value('SpreadHandicapAway'))];
  const mirrored = home !== undefined && away !== undefined && home + away === 0;
  if (home !== undefined && away !== undefined && !mirrored) {
    notes.add('inconsistent_line', 'A spread was left out: the lines of its sides do not mirror each other.');
  }
  const total = totalLine(value('TotalHandicap'));
  return [
    ...market('h2h', [
      ...priced('home', 'MoneyLineHome'),
      ...priced('away', 'MoneyLineAway'),
      ...priced('draw', 'MoneyLineDraw'),
    ]),
    ...market(
      'spreads',
      mirrored ? [...priced('home', 'SpreadHome', home), ...priced('away', 'SpreadAway', away)] : [],
    ),
    ...market(
      'totals',
      total === undefined ? [] : [...priced('over', 'TotalOver', total), ...priced('under', 'TotalUnder', total)],
    ),
  ];
}
