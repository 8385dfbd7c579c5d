import { expect, it } from 'vitest';
import { startServer } from '../../api/spec/server.ts';

it('a team message does not take over another team that only shares its abbreviation', async () => {
  const server = await startServer();
  try {
    const common = { source: 'one', at: '2026-01-01T00:00:00Z', sport: 'soccer', league: 'bundesliga' };
    const participants = [
      { role: 'home', name: 'Bayer Leverkusen', abbreviation: 'LEV' },
      { role: 'away', name: 'Mainz 05', abbreviation: 'M05' },
    ];
    await server.feed({ ...common, kind: 'schedule', ref: 'g', starts_at: '2026-01-10T14:30:00Z', participants });
    await server.feed({
      ...common,
      source: 'two',
      league: 'la_liga',
      kind: 'team',
      ref: 't',
      name: 'Levante',
      abbreviation: 'LEV',
    });
    const { data } = await server.get('/v1/teams?sport=soccer');
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Bayer Leverkusen', 'Mainz 05', 'Levante']);
  } finally {
    await server.close();
  }
});
