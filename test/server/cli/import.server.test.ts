import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reportOf, run, temporaryFolder } from './launching.ts';

const HEADER = 'game_id,season,game_type,week,gameday,gametime,away_team,home_team,away_score,home_score';

function games(folder: string, ...rows: string[]): string {
  const file = join(folder, 'games.csv');
  writeFileSync(file, `${[HEADER, ...rows].join('\n')}\n`);
  return file;
}

describe('import', () => {
  it('prints with --dry-run what it takes in without it', async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const file = games(folder, '2024_01_BAL_KC,2024,REG,1,2024-09-05,20:20,BAL,KC,20,27');

    const dry = await run(['import', 'nflverse', file, '--dry-run']);
    const ingested = await run(['ingest', '--data-dir', data, '-'], { input: dry.stdout });
    const imported = await run(['import', 'nflverse', file, '--data-dir', data]);

    const kinds = dry.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(dry.code).toBe(0);
    expect(kinds).toContain('schedule');
    expect(kinds).toContain('score');
    expect(reportOf(ingested)).toMatchObject({ received: kinds.length, accepted: kinds.length });
    expect(imported.code).toBe(0);
    expect(reportOf(imported)).toMatchObject({ received: kinds.length, unchanged: kinds.length, notes: [] });
  });

  it('sums what it left out by reason, each with an example', async () => {
    const folder = temporaryFolder();
    const row = (date: string) => `2024_01_BAL_KC,2024,REG,1,${date},20:20,BAL,KC,20,27`;
    const file = games(folder, row('someday'), row('2024-09-05'), row('tomorrow'));

    const { code, stdout } = await run(['import', 'nflverse', file, '--data-dir', join(folder, 'data')]);

    expect(code).toBe(0);
    const { notes } = JSON.parse(stdout) as { notes: unknown[] };
    expect(notes).toEqual([
      { code: expect.any(String), count: 2, example: expect.stringContaining('games.csv line 2') },
    ]);
  });

  it('reads a file that is no UTF-8 as Windows-1252, and says so; --encoding names another', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'SP1_2425.csv');
    const rows = 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR\nSP1,15/08/2024,18:00,Atl\u00e9tico,Betis,1,1,D\n';
    writeFileSync(file, Buffer.from(rows, 'latin1'));

    const assumed = await run(['import', 'football-data', file, '--dry-run']);
    const named = await run(['import', 'football-data', file, '--dry-run', '--encoding', 'ISO-8859-5']);
    const unknown = await run(['import', 'football-data', file, '--dry-run', '--encoding', 'morse']);

    expect(assumed.stdout).toContain('"Atl\u00e9tico"');
    expect(assumed.stderr).toContain('SP1_2425.csv is no UTF-8: read as Windows-1252');
    expect(named.stdout).toContain('"Atl\u0449tico"');
    expect(named.stderr).toBe('');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('--encoding morse') });
  });

  it('says in one line that a file is not one of the source', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'other.csv');
    writeFileSync(file, 'a,b\n1,2\n');

    const taken = await run(['import', 'nflverse', file, '--data-dir', join(folder, 'data')]);
    const dry = await run(['import', 'nflverse', file, '--dry-run']);

    for (const { code, stderr } of [taken, dry]) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/other\.csv: not a file that this importer knows .*\n$/);
    }
    expect(reportOf(taken)).toMatchObject({ received: 0 });
  });

  it('takes archives of a connector in, as they were answered', async () => {
    const folder = temporaryFolder();
    const asked = 'https://api.the-odds-api.com/v4/sports/basketball_nba/odds?markets=h2h&apiKey=***';
    const answer = (receivedAt: string, price: number) => {
      const outcomes = [
        { name: 'Hawks', price },
        { name: 'Owls', price: 130 },
      ];
      const book = { key: 'fanduel', last_update: '2025-11-23T17:59:00Z', markets: [{ key: 'h2h', outcomes }] };
      const sides = { home_team: 'Hawks', away_team: 'Owls', bookmakers: [book] };
      const body = [{ id: 'e1', sport_key: 'basketball_nba', commence_time: '2025-11-23T23:00:00Z', ...sides }];
      return `${JSON.stringify({ received_at: receivedAt, url: asked, status: 200, headers: {}, body: JSON.stringify(body) })}\n`;
    };
    const [first, second] = [join(folder, '18.ndjson.gz'), join(folder, '19.ndjson')];
    writeFileSync(first, gzipSync(answer('2025-11-23T18:00:00Z', -150)));
    writeFileSync(second, `${answer('2025-11-23T19:00:00Z', -160)}{"received_at":"2025-11-23T19:0`);

    const dry = await run(['import', 'the-odds-api', first, second, '--dry-run']);
    const taken = await run(['import', 'the-odds-api', first, second, '--data-dir', join(folder, 'data')]);
    const again = await run(['import', 'the-odds-api', first, second, '--data-dir', join(folder, 'data')]);

    const messages = dry.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; at: string });
    expect(messages.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
      'schedule 2025-11-23T18:00:00Z',
      'odds 2025-11-23T17:59:00Z',
      // It changed without a newer time.
      'odds 2025-11-23T19:00:00Z',
    ]);
    expect([taken.code, again.code]).toEqual([0, 0]);
    expect(reportOf(taken)).toMatchObject({ received: 3, accepted: 3, notes: [] });
    expect(reportOf(again)).toMatchObject({ received: 3, unchanged: 3 });
  });
});
