import type { ImportItem } from '../importing/importer.ts';
import { assumedClosingTime } from '../parsing/assumed-times.ts';
import { type CsvRow, cellInteger, cellNumber } from '../parsing/csv.ts';
import { type Game, knownText } from './game-row.ts';

interface Side {
  readonly outcome: 'home' | 'away' | 'over' | 'under';
  readonly column: string;
  readonly point?: number;
}
interface Market {
  readonly key: string;
  readonly sides: readonly Side[];
  /** Undefined if the row has no readable line, without which its prices have no meaning; null if the market has no
   *  line. */
  readonly line: number | undefined | null;
}

/** The closing prices of the row as one message of the bookmaker `consensus`; none if the row has no price. */
export function* oddsOfGame(game: Game, row: CsvRow): Generator<ImportItem> {
  const markets = [];
  const notes: ImportItem[] = [];
  const unpriced: string[] = [];
  for (const market of marketsOf(row)) {
    const read = pricesOf(market, row);
    if ('dropped' in read) notes.push(note(row, 'price_dropped', market.key, `"${read.dropped}" is no American price`));
    else if (read.outcomes.length === 0) {
      if (typeof market.line === 'number') unpriced.push(market.key);
    } else if (market.line === undefined)
      notes.push(note(row, 'line_missing', market.key, 'it has prices and no line'));
    else markets.push({ key: market.key, outcomes: read.outcomes });
  }
  // Whole seasons have lines and no prices. A note is useful only if a single market of a row lacks them.
  if (markets.length > 0) {
    for (const key of unpriced) notes.push(note(row, 'line_without_price', key, 'it has a line and no price'));
  }
  yield* notes;
  if (markets.length === 0) return;
  const at = assumedClosingTime(game.startsAt);
  yield { message: { kind: 'odds', source: 'nflverse', at, ref: game.ref, bookmaker: 'consensus', markets } };
}

function marketsOf(row: CsvRow): Market[] {
  const spread = cellNumber(row.get('spread_line'));
  const total = cellNumber(row.get('total_line'));
  return [
    {
      key: 'h2h',
      line: null,
      sides: [
        { outcome: 'home', column: 'home_moneyline' },
        { outcome: 'away', column: 'away_moneyline' },
      ],
    },
    {
      key: 'spreads',
      line: spread,
      sides: [
        // nflverse states the expected lead of the home team; subtracting from 0 and adding to 0 also avoids -0.
        { outcome: 'home', column: 'home_spread_odds', point: 0 - (spread ?? 0) },
        { outcome: 'away', column: 'away_spread_odds', point: 0 + (spread ?? 0) },
      ],
    },
    {
      key: 'totals',
      line: total,
      sides: [
        { outcome: 'over', column: 'over_odds', point: total },
        { outcome: 'under', column: 'under_odds', point: total },
      ],
    },
  ];
}

function pricesOf({ sides }: Market, row: CsvRow) {
  const outcomes = [];
  for (const { outcome, column, point } of sides) {
    const cell = knownText(row.get(column));
    if (cell === '') continue;
    const price = cellInteger(cell);
    if (price === undefined || Math.abs(price) < 100) return { dropped: cell };
    outcomes.push(point === undefined ? { outcome, price } : { outcome, price, point });
  }
  return { outcomes };
}

const note = (row: CsvRow, code: string, market: string, why: string): ImportItem => ({
  note: { code, line: row.line, message: `The ${market} market was left out: ${why}.` },
});
