import { expect, it } from 'vitest';
import { type Message, withServer } from '../../system/properties/small-server.ts';
import { NOW } from '../../system/properties/world.ts';

const at = '2026-09-10T21:00:00Z';
const tennis = { sport: 'tennis', league: 'atp', starts_at: '2026-09-10T18:00:00Z' };
const schedule: Message = {
  kind: 'schedule',
  source: 's',
  at: '2026-09-01T00:00:00Z',
  ref: 'm1',
  ...tennis,
  participants: [
    { role: 'player_1', name: 'Ada One' },
    { role: 'player_2', name: 'Bea Two' },
  ],
};
const match = { ...tennis, player_1: 'Bea Two', player_2: 'Ada One' };
const [one, two] = [{ aces: 1 }, { aces: 2 }];

/** What the log holds of the sides of a box. */
const boxed = (...boxes: Message[]) =>
  withServer({ time: Math.max(NOW, Date.parse(at)) }, async (server) => {
    const outcomes = await server.accept([schedule, ...boxes.map((box) => ({ kind: 'box', at, ...box }))]);
    const contents = (await server.records()).flatMap((record) =>
      record.type === 'BoxChanged' ? [(record.data as unknown as { content: unknown }).content] : [],
    );
    return { outcomes: outcomes.slice(1).map(({ status }) => status), contents };
  });

it('given a match of tennis, the sides of its box are its players, however the source calls them', async () => {
  const named = { source: 's', ref: 'm1', teams: { player_1: one, player_2: two } };
  const placed = { source: 's', ref: 'm1', teams: { home: one, away: two } };
  expect(await boxed(named, placed)).toEqual({
    outcomes: ['accepted', 'unchanged'],
    contents: [{ teams: { player_1: one, player_2: two } }],
  });
});

it('given a source that has the players the other way round, its box is turned with them', async () => {
  const players = [{ ref: '9', name: 'Bea Two', role: 'home', stats: two }];
  for (const teams of [
    { player_1: two, player_2: one },
    { home: two, away: one },
  ]) {
    expect(await boxed({ source: 'o', match, teams, players })).toEqual({
      outcomes: ['accepted'],
      contents: [{ teams: { player_1: one, player_2: two }, players: [{ ...players[0], role: 'player_2' }] }],
    });
  }
});

it("given a side by both of its names, the sport's own counts", async () => {
  for (const teams of [
    { player_1: one, home: two },
    { home: two, player_1: one },
  ]) {
    expect((await boxed({ source: 's', ref: 'm1', teams })).contents).toEqual([{ teams: { player_1: one } }]);
  }
});
