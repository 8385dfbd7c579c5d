import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportOf, run, startServer, temporaryFolder } from '../cli/launching.ts';

const CHAMPIONSHIP = 'docs/leagues/championship.json';
const ROWS = `Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR
E1,15/08/2024,18:00,Hull,Derby,1,1,D
E1,16/03/2025,18:00,Derby,Hull,2,0,H
`;
const GAME = {
  kind: 'schedule',
  source: 'feed',
  at: '2026-03-01T12:00:00Z',
  ref: 'g1',
  sport: 'soccer',
  league: 'championship',
  starts_at: '2026-03-08T15:00:00Z',
  participants: [
    { role: 'home', name: 'Hull' },
    { role: 'away', name: 'Derby' },
  ],
};

describe('commands with a league of CONFIG', () => {
  it('given it, then import, ingest and start know it in all their threads; without it, what was recorded holds', async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const file = join(folder, 'E1.csv');
    writeFileSync(file, ROWS);
    const env = { CONFIG: CHAMPIONSHIP };
    const where = ['--data-dir', data];

    const imported = await run(['import', 'football-data', file, ...where], { env });
    expect([imported.stderr, imported.code]).toEqual([expect.any(String), 0]);
    expect(reportOf(imported)).toMatchObject({ rejected: 0 });
    expect(reportOf(imported).accepted).toBeGreaterThanOrEqual(4);
    const ingested = await run(['ingest', ...where, '-'], { env, input: `${JSON.stringify(GAME)}\n` });
    expect(reportOf(ingested)).toMatchObject({ received: 1, accepted: 1 });

    const server = await startServer(data, env);
    const ask = (url: string, key: string) =>
      fetch(`${url}/v1/seasons?current_only=false`, { headers: { authorization: `Bearer ${key}` } });
    const { seasons } = (await (await ask(server.url, server.key)).json()) as any;
    expect(seasons.map(({ name }: any) => name).sort()).toEqual(['2024-25', '2025-26']);
    server.child.kill('SIGTERM');
    await server.ended;

    for (const [command, given] of [
      ['verify', env],
      ['verify', {}],
      ['rebuild', {}],
      ['verify', {}],
      ['verify', env],
    ] as const) {
      const { code, stdout, stderr } = await run([command, ...where], { env: given });
      expect([command, given, code, code === 0 ? '' : stdout + stderr]).toEqual([command, given, 0, '']);
    }
    const refused = await run(['ingest', ...where, '-'], { input: `${JSON.stringify({ ...GAME, ref: 'g2' })}\n` });
    expect(reportOf(refused)).toMatchObject({ received: 1, rejected: 1 });
    expect(refused.stdout).toContain('unknown_league');

    const without = await startServer(data);
    expect(((await (await ask(without.url, server.key)).json()) as any).seasons).toEqual([]);
  });

  it('given a sport of its own with boxes, then verify and rebuild hold without it, and other rules stop the start', async () => {
    const folder = temporaryFolder();
    const CONFIG = join(folder, 'config.json');
    const write = (like: string) => {
      const season = { start_month: 3, year_name: 'start' };
      writeFileSync(
        CONFIG,
        JSON.stringify({ leagues: { kbo: { sport: { slug: 'kbo', like }, name: 'KBO', season } } }),
      );
    };
    write('mlb');
    const where = ['--data-dir', join(folder, 'data')];
    const game = { ...GAME, sport: 'kbo', league: 'kbo' };
    const told = { source: 'feed', at: '2026-03-08T19:00:00Z', ref: 'g1' };
    const scores = ['home', 'away'].map((role, index) => ({ role, score: String(3 + index) }));
    const players = [{ ref: 'p1', name: 'Kim Arnold', role: 'home', stats: { hits: 2, at_bats: 4 } }];
    const messages = [
      game,
      { kind: 'score', ...told, status: 'final', result_type: 'overtime', scores },
      { kind: 'box', ...told, final: true, players, teams: { home: { hits: 8 }, away: { hits: 9 } } },
    ];
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const ingested = await run(['ingest', ...where, '-'], { env: { CONFIG }, input });
    expect(reportOf(ingested)).toMatchObject({ received: 3, accepted: 3 });

    for (const [command, env] of [
      ['verify', { CONFIG }],
      ['verify', {}],
      ['rebuild', {}],
      ['verify', { CONFIG }],
    ] as const) {
      const { code, stdout, stderr } = await run([command, ...where], { env });
      expect([command, env, code, code === 0 ? '' : stdout + stderr]).toEqual([command, env, 0, '']);
    }
    write('nfl');
    const { code, stderr } = await run(['verify', ...where], { env: { CONFIG } });
    expect(code).not.toBe(0);
    expect(stderr).toContain('the sport kbo is like nfl, but what is recorded of it is like mlb');
  });

  it('given a file that is not right, then the start stops with the path of what is wrong', async () => {
    const folder = temporaryFolder();
    const CONFIG = join(folder, 'config.json');
    const league = { sport: 'soccer', name: 'One', season: { start_month: 7, year_name: 'span', half: 1 } };
    writeFileSync(CONFIG, JSON.stringify({ leagues: { one: league } }));

    const { code, stderr } = await run(['start', '--data-dir', join(folder, 'data')], { env: { CONFIG } });

    expect(code).not.toBe(0);
    expect(stderr).toContain('leagues.one.season.half');
  });
});
