import { expect, it } from 'vitest';
import { iso, SOURCE } from './seasons.ts';
import { withStatsServer } from './stats-server.ts';

it('a final set that a tie-break decides at 12 games all is won', async () => {
  await withStatsServer(async (server) => {
    const start = Date.parse('2025-07-14T00:00:00Z');
    const names = ['Adams', 'Berg'];
    const participants = names.map((name, index) => ({ role: `player_${index + 1}`, name, ref: name }));
    const common = { source: SOURCE, at: iso(start), sport: 'tennis', league: 'atp', participants };
    await server.hear([
      { kind: 'schedule', ...common, ref: 'final', starts_at: iso(start) },
      { kind: 'schedule', ...common, ref: 'next', starts_at: iso(start + 30 * 86_400_000) },
      {
        kind: 'score',
        source: SOURCE,
        at: iso(start + 18_000_000),
        ref: 'final',
        status: 'final',
        result_type: 'regulation',
        scores: [
          { role: 'player_1', score: '7 1 7 4 13', is_winner: true },
          { role: 'player_2', score: '6 6 6 6 12', is_winner: false },
        ],
      },
    ]);
    const next = (await server.games()).find(({ starts_at }) => starts_at !== iso(start))!;

    const { player_1 } = (await server.ask(next.eventId)).players;

    expect(player_1.recent_form).toEqual({ window: 5, results: ['W'], sets_won: [3], sets_lost: [2] });
  });
});
