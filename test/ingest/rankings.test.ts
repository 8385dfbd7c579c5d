import { expect, it } from 'vitest';
import { tennisDataImporter } from '../../src/sources/tennis-data/importer.ts';
import { csvOf, importText } from '../sources/importing.ts';
import { type Message, withServer } from '../system/properties/small-server.ts';
import { NOW } from '../system/properties/world.ts';

const COLUMNS = ['ATP', 'Tournament', 'Date', 'Round', 'Winner', 'Loser', 'WRank', 'LRank', 'WPts', 'LPts', 'Comment'];
const fileOf = async (date: string, place: string, points: string): Promise<Message[]> => {
  const row = { ATP: '1', Tournament: 'Open', Date: date, Round: 'Final', Winner: 'Zorn A.', Loser: 'Abel B.' };
  const ranked = { ...row, WRank: place, WPts: points, LRank: 'NR', Comment: 'Completed' };
  return (await importText(tennisDataImporter, 'x.csv', csvOf(COLUMNS, [ranked]))).messages;
};

/** Place and points of all ranked players once the files were taken, in their order. */
const rankedAfter = (...files: readonly (readonly Message[])[]) =>
  withServer({ time: NOW }, async (server) => {
    for (const file of files) {
      for (const { status } of await server.accept(file)) expect(status).toBe('accepted');
    }
    await server.projected();
    const { data } = (await server.ask('search_players', { sport: 'tennis', ranked: true })) as { data: any[] };
    return data.map((player) => [player.full_name, player.tennis_ranking, player.tennis_ranking_points]);
  });

it('given files of two years in either order, players show the ranking of the later, and others are not ranked', async () => {
  const [early, late] = [await fileOf('2018-05-07', '40', '900'), await fileOf('2019-05-06', '12', '2100')];

  expect(await rankedAfter(early, late)).toEqual([['Zorn A.', 12, 2100]]);
  expect(await rankedAfter(late, early)).toEqual([['Zorn A.', 12, 2100]]);
});

it('given a match, its rankings are known as of its start', async () => {
  const messages = await fileOf('2019-05-06', '12', '2100');
  const match = messages.find(({ kind }) => kind === 'schedule')!;
  const player = messages.find(({ kind }) => kind === 'player')!;

  expect(Date.parse(player['at'] as string)).toBeLessThan(Date.parse(match['starts_at'] as string));
});

it('given a team, its place in the ranking of FIFA is kept, and must be one', async () => {
  const team = (fifa_rank: number): Message => ({
    kind: 'team',
    source: 's',
    at: '2026-06-01T00:00:00Z',
    sport: 'soccer',
    league: 'fifa_world_cup',
    ref: 't1',
    name: 'Hawkland',
    abbreviation: 'HAW',
    fifa_rank,
  });
  await withServer({ time: NOW }, async (server) => {
    expect(await server.accept([team(7), team(0), team(1.5)])).toMatchObject([
      { status: 'accepted' },
      { status: 'rejected', path: 'fifa_rank' },
      { status: 'rejected', path: 'fifa_rank' },
    ]);
    await server.projected();
    expect(Object.values((await server.documents())['teams']!)).toMatchObject([{ facts: { fifa_rank: 7 } }]);
  });
});
