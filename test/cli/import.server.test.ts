import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
});
