import { expect, it } from 'vitest';
import { type Message, withServer } from '../../system/properties/small-server.ts';
import { NOW } from '../../system/properties/world.ts';

const about = { sport: 'nfl', league: 'nfl' };
const team: Message = {
  kind: 'team',
  source: 'a',
  at: '2026-08-01T00:00:00Z',
  ...about,
  ref: 't',
  name: 'Chiefs',
  abbreviation: 'KC',
};
const playerAt = (at: string): Message => ({
  kind: 'player',
  source: 'a',
  at,
  ...about,
  ref: 'p',
  full_name: 'Jo Doe',
  team_ref: 't',
});
const injury: Message = {
  kind: 'injury',
  source: 'a',
  at: '2026-09-01T00:00:00Z',
  ...about,
  player: 'Jo Doe',
  team: 'Chiefs',
  status: 'out',
};

it('given a report, when the player turns out to have been known earlier and the report comes again, then nothing is recorded', async () => {
  await withServer({ time: NOW }, async (server) => {
    await server.accept([team, playerAt('2026-09-05T00:00:00Z'), injury, playerAt('2026-08-05T00:00:00Z')]);
    const before = await server.log.head();
    expect((await server.accept([injury]))[0]).toMatchObject({ status: 'unchanged' });
    expect(await server.log.head()).toBe(before);
  });
});

it('given a report of a player whom nobody knows, when the player becomes known, then it is told who that is, once', async () => {
  await withServer({ time: NOW }, async (server) => {
    await server.accept([team, injury, playerAt('2026-08-05T00:00:00Z'), injury]);
    const types = (await server.records()).map(({ type }) => type);
    expect(types.filter((type) => type === 'InjuredPlayerIdentified')).toHaveLength(1);
    expect(await server.waiting()).toEqual([]);
  });
});

it('given reports that wait, the earliest of which came last, when the player becomes known, then he is known from the earliest on', async () => {
  await withServer({ time: NOW }, async (server) => {
    const earlier = { ...injury, status: 'questionable', at: '2026-08-20T00:00:00Z' };
    await server.accept([team, injury]);
    server.clock.time += 1000;
    await server.accept([earlier]);
    server.clock.time += 1000;
    await server.accept([playerAt('2026-08-05T00:00:00Z')]);
    const told = (await server.records()).filter(({ type }) => type === 'InjuredPlayerIdentified');
    expect(told.map(({ data }) => (data as { at: string }).at)).toEqual([earlier.at]);
  });
});
