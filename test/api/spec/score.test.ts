import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { game } from './events.ts';
import { expectMembers, SNAPSHOT, SNAPSHOT_SIDE } from './members.ts';
import { ATP, EPL, MLB, NBA, NCAAB, NCAAF, NFL, NHL, WTA } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('Score snapshot', () => {
  it.each([NFL, NBA, MLB, NHL, NCAAF, NCAAB, ATP, WTA, EPL])(
    '$league: the documented members, as in the event',
    async (league) => {
      const one = await game(server, league);
      const steps = [
        undefined,
        one.score('inprogress', [{ score: '1', period_scores: [{ period: '1', score: 1 }] }, '0'], {
          period: '1',
          clock: '2:00',
        }),
        one.score('suspended'),
        one.score('final', ['2', '0']),
      ];
      for (const step of steps) {
        if (step) await server.feed(step);
        const snapshot = await server.get(`${one.path}/score`);
        const detail = await server.get(one.path);
        expectMembers(snapshot, SNAPSHOT);
        const { status, period, period_label, clock, updated_at, participants } = detail;
        expect(snapshot).toEqual({
          event_id: one.id,
          status,
          period,
          period_label,
          clock,
          updated_at,
          scores: participants.map(({ role, score, game_score, is_winner, period_scores, team, player }: any) => ({
            role,
            name: (team ?? player).name,
            abbreviation: team?.abbreviation ?? null,
            score,
            game_score,
            is_winner,
            period_scores,
          })),
        });
        for (const side of snapshot.scores) expectMembers(side, SNAPSHOT_SIDE);
      }
    },
  );

  it('updated_at: the last ingest write', async () => {
    const one = await game(server, NFL);
    server.setClock('2026-03-01T12:30:00Z');
    await server.feed(one.score('inprogress', ['7', '0']));
    expect((await server.get(`${one.path}/score`)).updated_at).toBe('2026-03-01T12:30:00Z');
    server.setClock('2026-03-01T12:00:00Z');
  });

  it('cache: 15 seconds for inprogress and suspended', async () => {
    const one = await game(server, NFL);
    const cache = async () => (await server.ask(`${one.path}/score`)).headers.get('cache-control');
    expect(await cache()).toBe('private, max-age=300');
    await server.feed(one.score('inprogress', ['7', '0']));
    expect(await cache()).toBe('private, max-age=15');
    await server.feed(one.score('suspended'));
    expect(await cache()).toBe('private, max-age=15');
    await server.feed(one.score('final', ['7', '0']));
    expect(await cache()).toBe('private, no-cache, must-revalidate');
  });

  it('credits: 1, also before the start', async () => {
    const one = await game(server, NFL);
    expect((await server.ask(`${one.path}/score`)).credits).toBe(1);
  });

  it('a correction after the end shows', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('final', ['7', '10']), one.score('final', ['14', '10']));
    const { scores } = await server.get(`${one.path}/score`);
    expect(scores.map(({ score, is_winner }: any) => [score, is_winner])).toEqual([
      ['14', true],
      ['10', false],
    ]);
  });
});
