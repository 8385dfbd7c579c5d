import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, it } from 'vitest';
import { launch } from '../../server/cli/launching.ts';
import { data, describeWithData, importAll, serve } from './real-data-files.ts';

const timeout = 10 * 60_000;

interface FinalTable {
  readonly league: string;
  readonly division: string;
  /** As the file writes it. */
  readonly season: string;
  readonly year: number;
  /** Who published the table. */
  readonly source: string;
  /** Teams by the names of the file with their points, from the first place on. */
  readonly places: string;
}

/** Tables as others published them, written down by hand; the names are those of the files. */
const FINAL: readonly FinalTable[] = [
  {
    league: 'epl',
    division: 'E0',
    season: '1112',
    year: 2011,
    source: 'http://in.reuters.com/article/soccer-england-standings-idINL4E8JF2RF20120815',
    places:
      'Man City 89, Man United 89, Arsenal 70, Tottenham 69, Newcastle 65, Chelsea 64, Everton 56, Liverpool 52, ' +
      'Fulham 52, West Brom 47, Swansea 47, Norwich 47, Sunderland 45, Stoke 45, Wigan 43, Aston Villa 38, QPR 37, ' +
      'Bolton 36, Blackburn 31, Wolves 25',
  },
  {
    league: 'epl',
    division: 'E0',
    season: '1819',
    year: 2018,
    source: 'https://zh-yue.m.wikipedia.org/wiki/Template:2018%E2%80%9319_Premier_League_table',
    places:
      'Man City 98, Liverpool 97, Chelsea 72, Tottenham 71, Arsenal 70, Man United 66, Wolves 57, Everton 54, ' +
      'Leicester 52, West Ham 52, Watford 50, Crystal Palace 49, Newcastle 45, Bournemouth 45, Burnley 40, ' +
      'Southampton 39, Brighton 36, Cardiff 34, Fulham 26, Huddersfield 16',
  },
  {
    league: 'la_liga',
    division: 'SP1',
    season: '1617',
    year: 2016,
    source: 'https://bs.wikipedia.org/wiki/%C5%A0ablon:Tabela_La_Lige_2016/17.',
    places:
      'Real Madrid 93, Barcelona 90, Ath Madrid 78, Sevilla 72, Villarreal 67, Sociedad 64, Ath Bilbao 63, ' +
      'Espanol 56, Alaves 55, Eibar 54, Malaga 46, Valencia 46, Celta 45, Las Palmas 39, Betis 39, La Coruna 36, ' +
      'Leganes 35, Sp Gijon 31, Osasuna 22, Granada 20',
  },
  {
    // Chievo was docked three points.
    league: 'serie_a',
    division: 'I1',
    season: '1819',
    year: 2018,
    source: 'https://calcionow.it/serie-a-2018-19-classifica-finale-e-verdetti',
    places:
      'Juventus 90, Napoli 79, Atalanta 69, Inter 69, Milan 68, Roma 66, Torino 63, Lazio 59, Sampdoria 53, ' +
      'Bologna 44, Sassuolo 43, Udinese 43, Spal 42, Parma 41, Cagliari 41, Fiorentina 41, Genoa 38, Empoli 38, ' +
      'Frosinone 25, Chievo 17',
  },
];

const CHIEVO = {
  kind: 'deduction',
  source: 'operator',
  at: '2018-09-13T12:00:00Z',
  sport: 'soccer',
  league: 'serie_a',
  season: 2018,
  team: 'Chievo',
  points: 3,
  reason: 'false accounting',
};

/** Of the other columns, prices above all, a table needs none. */
const COLUMNS = ['Season', 'Div', 'Date', 'HomeTeam', 'AwayTeam', 'FTHG', 'FTAG', 'FTR'];

function seasonRows({ division, season }: FinalTable): string[] {
  const text = gunzipSync(readFileSync(data('soccer', `football_data_${division}_0910_2324.csv.gz`)));
  const rows: Record<string, string>[] = parse(text, { columns: true, bom: true, relax_column_count: true });
  return rows
    .filter((row) => row['Season'] === season && row['FTHG'] !== '')
    .map((row) => COLUMNS.map((column) => (column === 'Div' ? division : row[column])).join());
}

describeWithData('the final tables of real seasons', () => {
  const folder = mkdtempSync(join(tmpdir(), 'standings-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'equal those that others published, points taken away included',
    async () => {
      const results = join(folder, 'results.csv');
      writeFileSync(results, [COLUMNS.join(), ...FINAL.flatMap(seasonRows)].join('\n'));
      const store = join(folder, 'data');
      await importAll(store, { source: 'football-data', files: [results] });
      const messages = join(folder, 'deductions.ndjson');
      writeFileSync(messages, `${JSON.stringify(CHIEVO)}\n`);
      const { child, ended } = launch(['ingest', '--data-dir', store, messages]);
      child.stdin.end();
      const { code, stderr } = await ended;
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      const { ask } = await serve(store);
      for (const { league, year, places, source } of FINAL) {
        const { groups } = await ask(`/v1/leagues/${league}/standings`, { season: year });
        const rows: any[] = groups.flatMap((group: any) => group.rows);
        const where = `${league} ${year}: ${source}`;
        expect.soft(rows.map(({ team, points }) => `${team} ${points}`).join(', '), where).toBe(places);
        expect
          .soft(
            rows.map(({ rank }) => rank),
            where,
          )
          .toEqual(rows.map((_, index) => index + 1));
      }
    },
    timeout,
  );
});
