import { describe, expect, it } from 'vitest';
import { type Message, withServer } from '../system/properties/small-server.ts';
import { NOW } from '../system/properties/world.ts';

const about = { sport: 'nfl', league: 'nfl' };
const starts_at = '2026-09-10T18:00:00Z';
const schedule = (at: string, home: Message, ref = 'e1'): Message => ({
  kind: 'schedule',
  source: 'a',
  at,
  ...about,
  ref,
  starts_at,
  participants: [
    { role: 'home', ...home },
    { role: 'away', name: 'Bills' },
  ],
});
const scoreByMatch = (home: string): Message => ({
  kind: 'score',
  source: 'b',
  at: '2026-09-10T19:00:00Z',
  match: { ...about, starts_at, home, away: 'Bills' },
  status: 'inprogress',
});
const team = (facts: Message): Message => ({
  kind: 'team',
  source: 'c',
  at: '2026-08-01T00:00:00Z',
  ...about,
  ref: 't',
  ...facts,
});

/** What becomes of messages, sent one by one in the order given and in the reverse one. */
async function inBothOrders(
  messages: readonly Message[],
  check: (server: Parameters<Parameters<typeof withServer>[1]>[0]) => Promise<void>,
) {
  for (const order of [messages, messages.toReversed()]) {
    await withServer({ time: NOW }, async (server) => {
      for (const message of order) await server.accept([message]);
      await server.projected();
      await check(server);
    });
  }
}

describe('names', () => {
  it('given a ref that schedules call by two names, then both are its names, whichever came first', async () => {
    const named = [
      schedule('2026-08-01T00:00:00Z', { name: 'Kansas City', ref: 't1' }),
      schedule('2026-08-02T00:00:00Z', { name: 'Chiefs', ref: 't1' }),
      scoreByMatch('Chiefs'),
      { ...scoreByMatch('Kansas City'), at: '2026-09-10T20:00:00Z' },
    ];
    await inBothOrders(named, async (server) => {
      expect(await server.waiting()).toEqual([]);
      expect(await server.ask('list_teams', { q: 'kansas' })).toMatchObject({ data: [{ name: 'Kansas City' }] });
    });
  });

  it('given a side that is named by an abbreviation, when the team comes that has it, then they are one', async () => {
    const messages = [
      schedule('2026-08-01T00:00:00Z', { name: 'KCC' }),
      team({ name: 'Kansas City Chiefs', abbreviation: 'KCC' }),
    ];
    await inBothOrders(messages, async (server) => {
      expect(Object.keys((await server.documents())['teams']!)).toHaveLength(2);
      expect(await server.ask('list_events', {})).toMatchObject({ events: [{ name: 'Bills at Kansas City Chiefs' }] });
    });
  });

  it('given an injury with a ref, when the player of this ref comes under another name, then it is known who it is', async () => {
    const injury: Message = {
      kind: 'injury',
      source: 'c',
      at: '2026-09-01T00:00:00Z',
      ...about,
      team: 'Chiefs',
      player: 'Hollywood',
      player_ref: 'p1',
      status: 'out',
    };
    const player: Message = {
      kind: 'player',
      source: 'c',
      at: '2026-08-01T00:00:00Z',
      ...about,
      ref: 'p1',
      full_name: 'Marquise Brown',
      team_ref: 't',
    };
    const messages = [
      team({ name: 'Chiefs', abbreviation: 'KC' }),
      injury,
      player,
      schedule('2026-08-01T00:00:00Z', { name: 'Chiefs' }),
    ];
    await inBothOrders(messages, async (server) => {
      expect(await server.waiting()).toEqual([]);
      const { events } = (await server.ask('list_events', {})) as { events: [{ id: number }] };
      const { injuries } = (await server.ask('get_injuries', { id: events[0].id })) as {
        injuries: [{ player_id: number }];
      };
      expect(injuries[0].player_id).toEqual(expect.any(Number));
    });
  });

  it('given an injury of a player of another team, when the player moves to the team, then it is known who it is', async () => {
    const player = (at: string, team_ref: string): Message => ({
      kind: 'player',
      source: 'c',
      at,
      ...about,
      ref: 'p1',
      full_name: 'Jo Doe',
      team_ref,
    });
    const injury: Message = {
      kind: 'injury',
      source: 'd',
      at: '2026-09-01T00:00:00Z',
      ...about,
      team: 'Chiefs',
      player: 'Jo Doe',
      status: 'out',
    };
    await withServer({ time: NOW }, async (server) => {
      await server.accept([
        team({ name: 'Chiefs', abbreviation: 'KC' }),
        team({ ref: 't2', name: 'Bills', abbreviation: 'BUF' }),
        player('2026-08-01T00:00:00Z', 't2'),
        injury,
      ]);
      expect(await server.waiting()).toHaveLength(1);
      await server.accept([player('2026-08-20T00:00:00Z', 't')]);
      expect(await server.waiting()).toEqual([]);
    });
  });
});
