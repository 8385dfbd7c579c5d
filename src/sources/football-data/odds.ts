import type { ImportItem } from '../importing/importer.ts';
import { assumedClosingTime, assumedOpeningTime } from '../parsing/assumed-times.ts';
import { type CsvRow, cellNumber } from '../parsing/csv.ts';
import { type DecimalCell, decimalOutcomes, priceDropped } from '../parsing/decimal-prices.ts';
import type { Match } from './match-messages.ts';
import type { PriceColumns } from './price-columns.ts';

/** One message for each bookmaker and moment with prices in the row. */
export function* oddsOfMatch(match: Match, row: CsvRow, columns: readonly PriceColumns[]): Generator<ImportItem> {
  for (const { bookmaker, moment, ...markets } of columns) {
    const priced = [];
    for (const [key, cells] of cellsOf(markets, row)) {
      const read = decimalOutcomes(cells);
      if ('dropped' in read) yield priceDropped(row.line, bookmaker, key, read.dropped);
      else if (read.outcomes.length > 0 && cells.some(({ point }) => Number.isNaN(point))) {
        const message = `The ${key} market of ${bookmaker} was left out: it has prices and no line.`;
        yield { note: { code: 'line_missing', line: row.line, message } };
      } else if (read.outcomes.length > 0) priced.push({ key, outcomes: read.outcomes });
    }
    if (priced.length === 0) continue;
    const at = moment === 'opening' ? assumedOpeningTime(match.startsAt) : assumedClosingTime(match.startsAt);
    yield { message: { kind: 'odds', source: 'football-data', at, ref: match.ref, bookmaker, markets: priced } };
  }
}

type Markets = Pick<PriceColumns, 'h2h' | 'totals' | 'spreads'>;

/** The cells of each market; a line that cannot be read is NaN. */
function* cellsOf({ h2h, totals, spreads }: Markets, row: CsvRow): Generator<readonly [string, DecimalCell[]]> {
  if (h2h) {
    const [home, draw, away] = h2h;
    yield [
      'h2h',
      [
        { outcome: 'home', cell: row.get(home) },
        { outcome: 'draw', cell: row.get(draw) },
        { outcome: 'away', cell: row.get(away) },
      ],
    ];
  }
  if (spreads) {
    const [home, away, line] = spreads;
    const handicap = cellNumber(row.get(line)) ?? Number.NaN;
    yield [
      'spreads',
      [
        // Adding to 0 and subtracting from 0 avoids -0.
        { outcome: 'home', cell: row.get(home), point: 0 + handicap },
        { outcome: 'away', cell: row.get(away), point: 0 - handicap },
      ],
    ];
  }
  if (totals) {
    const [over, under] = totals;
    yield [
      'totals',
      [
        { outcome: 'over', cell: row.get(over), point: 2.5 },
        { outcome: 'under', cell: row.get(under), point: 2.5 },
      ],
    ];
  }
}
