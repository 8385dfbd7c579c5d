import { type Importer, type ImportItem, UnknownFileShape } from '../importing/importer.ts';
import { assumedClosingTime } from '../parsing/assumed-times.ts';
import { type CsvFile, type CsvRow, openCsv } from '../parsing/csv.ts';
import { decimalOutcomes, priceDropped } from '../parsing/decimal-prices.ts';
import { type Match, readMatch, resultOfMatch, scheduleOfMatch, type Tour } from './match-messages.ts';
import { createRankingReader } from './rankings.ts';

const NEEDED = ['Tournament', 'Date', 'Round', 'Winner', 'Loser', 'Comment'];

/** Results and closing prices in the format of tennis-data.co.uk, one singles match per row. */
export const tennisDataImporter: Importer = {
  name: 'tennis-data',
  summary: 'ATP and WTA results with closing prices, in the form of tennis-data.co.uk',
  async *translate(file) {
    const csv = await openCsv(file.open());
    try {
      const tour = tourOf(csv);
      if (!tour || !NEEDED.every((column) => csv.has(column))) {
        throw new UnknownFileShape(file.name, `a CSV file with a column ATP or WTA, and ${NEEDED.join(', ')}`);
      }
      const prefixes = pricePrefixes(csv);
      const rankings = createRankingReader();
      for await (const row of csv.rows) {
        const read = readMatch(row, tour);
        if ('note' in read) {
          yield read;
          continue;
        }
        yield { message: scheduleOfMatch(read.match, row) };
        for (const prefix of prefixes) yield* oddsOfMatch(read.match, row, prefix);
        yield resultOfMatch(read.match, row);
        for (const message of rankings(read.match, row)) yield { message };
      }
    } finally {
      csv.close();
    }
  },
};

const tourOf = (csv: CsvFile): Tour | undefined => (csv.has('ATP') ? 'atp' : csv.has('WTA') ? 'wta' : undefined);

const BOOKMAKERS: Readonly<Record<string, string>> = { B365: 'bet365', PS: 'pinnacle' };

/** The highest and the average price of several bookmakers. */
const NO_BOOKMAKER = new Set(['Max', 'Avg']);

const pricePrefixes = (csv: CsvFile): string[] =>
  csv.header
    .filter((name) => name.endsWith('W') && csv.has(`${name.slice(0, -1)}L`))
    .map((name) => name.slice(0, -1))
    .filter((prefix) => prefix !== '' && !NO_BOOKMAKER.has(prefix));

function* oddsOfMatch(match: Match, row: CsvRow, prefix: string): Generator<ImportItem> {
  const bookmaker = BOOKMAKERS[prefix] ?? prefix.toLowerCase().replace(/[^a-z0-9_]+/g, '_');
  const read = decimalOutcomes(
    match.players.map(({ role, letter }) => ({ outcome: role, cell: row.get(`${prefix}${letter}`) })),
  );
  if ('dropped' in read) {
    yield priceDropped(row.line, bookmaker, 'h2h', read.dropped);
    return;
  }
  if (read.outcomes.length === 0) return;
  yield {
    message: {
      kind: 'odds',
      source: 'tennis-data',
      at: assumedClosingTime(match.startsAt),
      ref: match.ref,
      bookmaker,
      markets: [{ key: 'h2h', outcomes: read.outcomes }],
    },
  };
}
