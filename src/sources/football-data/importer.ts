import { formatDate } from '../../domain/primitives/time.ts';
import { type Importer, UnknownFileShape } from '../importing/importer.ts';
import { type CsvRow, openCsv, skippedRow } from '../parsing/csv.ts';
import { localStart } from '../parsing/local-start.ts';
import { leagueOfDivision, leagueOfFileName } from './leagues.ts';
import {
  clubsOfMatch,
  hasResult,
  type Match,
  resultOfMatch,
  scheduleOfMatch,
  statisticsOfMatch,
} from './match-messages.ts';
import { oddsOfMatch } from './odds.ts';
import { findPriceColumns } from './price-columns.ts';

const NEEDED = ['Date', 'HomeTeam', 'AwayTeam', 'FTHG', 'FTAG'];
const ZONE = 'Europe/London';

/** Results and prices in the format of football-data.co.uk, one match per row. */
export const footballDataImporter: Importer = {
  name: 'football-data',
  summary: 'Soccer results with opening and closing prices, in the form of football-data.co.uk',
  async *translate(file) {
    const csv = await openCsv(file.open());
    try {
      if (!NEEDED.every((column) => csv.has(column))) {
        throw new UnknownFileShape(file.name, `a CSV file with the columns ${NEEDED.join(', ')}`);
      }
      const ofFile = leagueOfFileName(file.name);
      if (!csv.has('Div') && !ofFile) throw unknownLeague(file.name);
      const columns = findPriceColumns(csv.header);
      let matches = 0;
      const described = new Set<string>();
      for await (const row of csv.rows) {
        if (isEmpty(row)) continue;
        const division = row.get('Div');
        const league = division === '' ? ofFile : leagueOfDivision(division);
        if (!league) {
          // A file that has only other leagues is an error; a single row of another league is just left out.
          if (matches === 0) throw unknownLeague(file.name);
          yield skippedRow(row, 'league_unknown', `"${division}" is no division that the server covers`);
          continue;
        }
        const start = localStart(row.get('Date'), row.get('Time'), ZONE);
        const home = row.get('HomeTeam');
        const away = row.get('AwayTeam');
        if (!start || home === '' || away === '') {
          yield skippedRow(row, 'row_unreadable', 'it has no readable date, time or teams');
          continue;
        }
        // The day as in the file: noon in London and noon in UTC are on the same day.
        const day = formatDate(localStart(row.get('Date'), '12:00', ZONE)!.startsAt);
        const match: Match = { ref: `${league.slug}:${day}:${home}:${away}`, league, home, away, ...start };
        matches += 1;
        for (const message of clubsOfMatch(match)) {
          if (described.has(message.ref)) continue;
          described.add(message.ref);
          yield { message };
        }
        yield { message: scheduleOfMatch(match, row) };
        yield* oddsOfMatch(match, row, columns);
        yield* resultOfMatch(match, row);
        const box = hasResult(row) ? statisticsOfMatch(match, row) : undefined;
        if (box) yield { message: box };
      }
    } finally {
      csv.close();
    }
  },
};

/** Concatenated files end in rows with only separators and a season. */
const isEmpty = (row: CsvRow): boolean => ['Date', 'HomeTeam', 'AwayTeam'].every((column) => row.get(column) === '');

const unknownLeague = (file: string): UnknownFileShape =>
  new UnknownFileShape(file, 'a division E0, SP1, D1, I1 or F1, or a file name that tells one league');
