import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { launch } from '../../server/cli/launching.ts';
import { clubName, describeWithData, importAll, serve } from './real-data-files.ts';
import {
  FINAL_TABLES,
  type FinalTable,
  nflFile,
  nflName,
  placesOf,
  resultMessages,
  soccerFile,
  teamMessages,
} from './standing-seasons.ts';

const timeout = 10 * 60_000;

/** All twenty seasons take a minute; without being asked for, the first one of each league is played. */
const ALL = process.env['FINAL_TABLES'] === 'all';
const TABLES = FINAL_TABLES.filter(
  (table) => ALL || table === FINAL_TABLES.find(({ league }) => league === table.league) || table.season === 2024,
);
const SOCCER = ['epl', 'la_liga', 'serie_a'];

/** Points taken away, with where it was published. */
const DEDUCTIONS = [
  {
    // The same page as the table.
    ...{ at: '2018-09-13T12:00:00Z', sport: 'soccer', league: 'serie_a', season: 2018 },
    ...{ team: 'Chievo', points: 3, reason: 'false accounting' },
  },
  {
    // https://heavy.com/sports/nhl/minnesota-wild/pull-goalie-overtime-loss-vegas/
    ...{ at: '2024-03-31T12:00:00Z', sport: 'nhl', league: 'nhl', season: 2023 },
    ...{ team: 'Minnesota Wild', points: 1, reason: 'lost in overtime without a goalkeeper, rule 84.2' },
  },
].map((deduction) => ({ kind: 'deduction', source: 'operator', ...deduction }));

/** What a row is compared by: points where the table has them, else games won, lost and drawn. */
const recordOf = ({ points, won, lost, drawn }: any): string =>
  points === null ? `${won}-${lost}${drawn > 0 ? `-${drawn}` : ''}` : String(points);

/** Until 2022 teams of baseball that were level played one more game, or shared a place that did not matter. */
const sharesPlaces = ({ league, season }: FinalTable): boolean => league === 'mlb' && season < 2022;

describeWithData('the final tables of real seasons', () => {
  const folder = mkdtempSync(join(tmpdir(), 'standings-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'equal those that others published, points taken away included',
    async () => {
      const store = join(folder, 'data');
      const of = (...leagues: string[]) => TABLES.filter(({ league }) => leagues.includes(league));
      const write = (name: string, text: string) => {
        writeFileSync(join(folder, name), text);
        return join(folder, name);
      };
      await importAll(store, { source: 'football-data', files: [write('soccer.csv', soccerFile(of(...SOCCER)))] });
      await importAll(store, { source: 'nflverse', files: [write('nfl.csv', nflFile(of('nfl')))] });
      const divided = of('nfl', 'mlb', 'nba', 'nhl');
      const messages = [...teamMessages(divided), ...of('mlb', 'nba', 'nhl').flatMap(resultMessages), ...DEDUCTIONS];
      const file = write('messages.ndjson', messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      const { child, ended } = launch(['ingest', '--data-dir', store, file]);
      child.stdin.end();
      const { code, stderr } = await ended;
      expect([code, stderr]).toEqual([0, expect.any(String)]);

      const { ask } = await serve(store);
      for (const table of TABLES) {
        const { league, season, source } = table;
        const answer = await ask(`/v1/leagues/${league}/standings`, { season });
        const where = `${league} ${season}: ${source}`;
        const shown = Object.fromEntries(
          answer.groups.map(({ name, rows }: any) => [
            name ?? '',
            rows.map((row: any) => ({ rank: row.rank, team: row.team, record: recordOf(row) })),
          ]),
        );
        const published = Object.fromEntries(
          Object.entries(table.groups).map(([name, places]) => [name, rankedPlaces(table, places)]),
        );
        expect.soft(shown, where).toEqual(published);
      }
    },
    timeout,
  );
});

function rankedPlaces(table: FinalTable, group: string) {
  const places = placesOf(group);
  return places
    .map(({ team, record }, index) => {
      const rank = sharesPlaces(table) ? places.findIndex((other) => other.record === record) : index;
      return { rank: rank + 1, team: table.league === 'nfl' ? nflName(team) : clubName(table.league, team), record };
    })
    .sort((a, b) => a.rank - b.rank || (a.team < b.team ? -1 : 1));
}
