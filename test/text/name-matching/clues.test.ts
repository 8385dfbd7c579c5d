import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATP, EPL, MLB, NFL, NHL, player, schedule, team } from '../../api/spec/messages.ts';
import { type ResolvingServer, startResolverServer, summarizeAnswer } from './resolver-server.ts';

const GAME = '2026-03-01T18:00:00Z';

let server: ResolvingServer;
const ids: Record<string, number> = {};
beforeAll(async () => {
  server = await startResolverServer(
    team(NFL, 'buf', 'Buffalo Bills', 'BUF', { city: 'Buffalo' }),
    team(NFL, 'jax', 'Jacksonville Jaguars', 'JAX', { city: 'Jacksonville' }),
    team(NFL, 'nyg', 'New York Giants', 'NYG', { city: 'New York' }),
    team(NFL, 'nyj', 'New York Jets', 'NYJ', { city: 'New York' }),
    team(MLB, 'sf', 'San Francisco Giants', 'SF', { city: 'San Francisco' }),
    team(NHL, 'buf-hockey', 'Buffalo Sabres', 'BUF', { city: 'Buffalo' }),
    team(EPL, 'new', 'Newcastle United', 'NEW'),
    player('nfl', 'qb', 'Josh Allen', { position: 'QB', team_ref: 'buf' }),
    player('nfl', 'de', 'Josh Allen', { position: 'DE', team_ref: 'jax' }),
    player('nfl', 'cook', 'James Cook', { team_ref: 'buf' }),
    player('nfl', 'traded', 'Stefon Diggs', { position: 'WR', team_ref: 'nyg' }),
    player('nfl', 'free', 'Josh Freeman'),
    player('mlb', 'webb', 'Logan Webb', { position: 'SP', team_ref: 'sf' }),
    player('nba', 'guard', 'Chris Paul', { position: 'PG' }),
    player('tennis', 'sz', 'Alexander Zverev'),
    player('tennis', 'mz', 'Mischa Zverev'),
    schedule(NFL, 'game', ['Buffalo Bills', 'Jacksonville Jaguars'], GAME),
    schedule(NFL, 'derby', ['New York Giants', 'New York Jets'], GAME),
    schedule(ATP, 'match', ['Alexander Zverev', 'Iga Opponent'], GAME),
  );
  await server.feed(
    {
      kind: 'box',
      source: 'feed',
      at: '2026-03-01T11:00:00Z',
      ref: 'game',
      players: [{ ref: 'traded', name: 'Stefon Diggs', role: 'home', stats: { receptions: 4 } }],
    },
    {
      kind: 'lineup',
      source: 'feed',
      at: '2026-03-01T11:00:00Z',
      ref: 'game',
      teams: { away: { players: [{ ref: 'free', name: 'Josh Freeman', starter: true }] } },
    },
  );
  for (const name of ['Buffalo Bills', 'New York Giants', 'San Francisco Giants'])
    ids[name] = await server.teamId(name);
  for (const name of ['James Cook', 'Logan Webb', 'Josh Freeman']) ids[name] = await server.playerId(name);
  for (const ref of ['game', 'derby', 'match']) ids[ref] = await server.eventId('feed', ref);
});
afterAll(() => server.close());

/** Names in clues stand for ids. */
const withIds = (clues: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(clues).map(([clue, value]) => [clue, clue.endsWith('_id') ? (ids[String(value)] ?? value) : value]),
  );
const team_ = async (query: string | undefined, clues: object, options?: object) =>
  summarizeAnswer(await server.team({ query, clues: withIds({ ...clues }), options }));
const player_ = async (query: string, clues: object, options?: object) =>
  summarizeAnswer(await server.player({ query, clues: withIds({ ...clues }), options }));

describe('clues of a team', () => {
  it.each([
    ['Giants', { sport: 'nfl' }, 'New York Giants (nfl) 0.95 nickname+sport'],
    ['Giants', { league: 'mlb' }, 'San Francisco Giants (mlb) 0.95 nickname+league'],
    ['Giants', { sport: 'nfl', league: 'nfl' }, 'New York Giants (nfl) 0.95 nickname+sport+league'],
    ['Giants', { event_id: 'derby' }, 'New York Giants (nfl) 1 nickname+event_id'],
    ['Giants', { player_id: 'Logan Webb' }, 'San Francisco Giants (mlb) 1 nickname+player_id'],
    ['Giants', { team_id: 'New York Giants' }, 'New York Giants (nfl) 1 nickname+team_id'],
    ['Buffalo', { event_id: 'game' }, 'Buffalo Bills (nfl) 0.95 city+event_id'],
    ['Buffalo', { sport: 'nhl' }, 'Buffalo Sabres (nhl) 0.85 city+sport'],
    [
      'New York',
      { event_id: 'derby' },
      '? New York Giants (nfl) 0.95 city+event_id, New York Jets (nfl) 0.95 city+event_id',
    ],
    [
      'Giants',
      { sport: 'nfl', event_id: 'derby', team_id: 'New York Giants' },
      'New York Giants (nfl) 1 nickname+sport+event_id+team_id',
    ],
    ['Giants', { sport: null, nothing: 'of this name' }, 'both'],
    ['Giants', { sport: 'nhl' }, 'not_found'],
    ['Giants', { sport: 'nfl', league: 'mlb' }, 'not_found'],
    ['Giants', { event_id: 'game' }, 'not_found'],
    ['Giants', { sport: 'mlb', event_id: 'derby' }, 'not_found'],
    ['Giants', { team_id: 'Buffalo Bills' }, 'not_found'],
    ['Giants', { player_id: 'James Cook' }, 'not_found'],
    ['Giants', { player_id: 'Josh Freeman' }, 'not_found'],
    ['Giants', { sport: 'curling' }, 'not_found'],
    ['Giants', { league: 'curling' }, 'not_found'],
    ['Giants', { event_id: 999_999 }, 'not_found'],
    ['Giants', { team_id: -1 }, 'not_found'],
    ['Giants', { player_id: 999_999 }, 'not_found'],
    ['Giants', { event_id: 'match' }, 'not_found'],
  ])('%s with %o', async (query, clues, answer) => {
    const both = '? New York Giants (nfl) 0.9 nickname, San Francisco Giants (mlb) 0.9 nickname';
    expect(await team_(query, clues)).toBe(answer === 'both' ? both : answer);
  });
});

describe('clues alone', () => {
  it.each([
    [{ team_id: 'Buffalo Bills' }, 'Buffalo Bills (nfl) 1 team_id'],
    [{ player_id: 'James Cook' }, 'Buffalo Bills (nfl) 1 player_id'],
    [{ player_id: 'Josh Freeman' }, 'not_found'],
    [{ team_id: 999_999 }, 'not_found'],
    [{ team_id: 'Buffalo Bills', event_id: 'derby' }, 'not_found'],
    [{ event_id: 'game', player_id: 'James Cook' }, 'Buffalo Bills (nfl) 1 event_id+player_id'],
    [{ event_id: 'game' }, '? Buffalo Bills (nfl) 0.15 event_id, Jacksonville Jaguars (nfl) 0.15 event_id'],
    [{ event_id: 'match' }, 'not_found'],
  ])('%o', async (clues, answer) => {
    expect(await team_(undefined, clues)).toBe(answer);
  });
});

describe('clues of a player', () => {
  it.each([
    ['Josh Allen', { position: 'qb' }, 'Josh Allen (nfl) 1 name+position'],
    ['Josh Allen', { team_id: 'Buffalo Bills' }, 'Josh Allen (nfl) 1 name+team_id'],
    ['Josh Allen', { team_text: 'Buffalo' }, 'Josh Allen (nfl) 1 name+team_text'],
    ['Josh Allen', { team_text: 'JAX' }, 'Josh Allen (nfl) 1 name+team_text'],
    ['Josh Allen', { position: 'QB', event_id: 'game' }, 'Josh Allen (nfl) 1 name+event_id+position'],
    ['Allen', { team_id: 'Buffalo Bills' }, 'Josh Allen (nfl) 0.85 last_name+team_id'],
    ['J. Allen', { team_text: 'Bills', sport: 'nfl' }, 'Josh Allen (nfl) 0.95 initial+sport+team_text'],
    ['Cook', { event_id: 'game', position: 'RB' }, 'James Cook (nfl) 0.85 last_name+event_id'],
    ['Webb', { team_text: 'Giants' }, 'Logan Webb (mlb) 0.85 last_name+team_text'],
    ['Webb', { team_text: 'Giants', sport: 'nfl' }, 'not_found'],
    ['Diggs', { event_id: 'game' }, 'Stefon Diggs (nfl) 0.85 last_name+event_id'],
    ['Diggs', { event_id: 'derby' }, 'Stefon Diggs (nfl) 0.85 last_name+event_id'],
    ['Diggs', { event_id: 'game', team_id: 'Buffalo Bills' }, 'not_found'],
    ['Diggs', { event_id: 'game', team_id: 'New York Giants' }, 'Stefon Diggs (nfl) 0.85 last_name+team_id+event_id'],
    ['Freeman', { event_id: 'game' }, 'Josh Freeman (nfl) 0.85 last_name+event_id'],
    ['Zverev', { event_id: 'match' }, 'Alexander Zverev (tennis) 0.85 last_name+event_id'],
    ['Chris Paul', { position: 'G' }, 'Chris Paul (nba) 1 name+position'],
    ['Chris Paul', { position: 'C' }, 'not_found'],
    ['James Cook', { sport: 'mlb' }, 'not_found'],
    ['James Cook', { team_id: 'New York Giants' }, 'not_found'],
    ['James Cook', { team_text: '!' }, 'not_found'],
    ['James Cook', { team_text: 'Nobody' }, 'not_found'],
    ['James Cook', { event_id: 'derby' }, 'not_found'],
    ['James Cook', { event_id: 999_999 }, 'not_found'],
    ['James Cook', { sport: 'curling' }, 'not_found'],
    ['James Cook', { league: 'mlb', unknown: 1 }, 'James Cook (nfl) 1 name'],
  ])('%s with %o', async (query, clues, answer) => {
    expect(await player_(query, clues)).toBe(answer);
  });

  it('are reported in every answer', async () => {
    const clues = { position: 'C', sport: 'nba', event_id: ids['game'], team_text: null };
    expect((await server.player({ query: 'Chris Paul', clues })).clues_used).toEqual(['sport', 'event_id', 'position']);
    expect((await server.player({ query: 'Chris Paul' })).clues_used).toEqual([]);
  });
});

describe('ingest', () => {
  const ingest = { mode: 'ingest' };
  it.each([
    ['James Cook', {}, '? James Cook (nfl) 1 name'],
    ['James Cook', { sport: 'nfl' }, '? James Cook (nfl) 1 name+sport'],
    ['James Cook', { team_id: 'Buffalo Bills' }, 'James Cook (nfl) 1 name+team_id'],
    ['James Cook', { team_text: 'Bills' }, 'James Cook (nfl) 1 name+team_text'],
    ['James Cook', { event_id: 'game' }, 'James Cook (nfl) 1 name+event_id'],
    ['James Cook', { event_id: 'derby' }, 'not_found'],
    ['Jim Cook', { event_id: 'game' }, 'not_found'],
    ['Jame Cook', { event_id: 'game' }, 'not_found'],
  ])('%s with %o', async (query, clues, answer) => {
    expect(await player_(query, clues, ingest)).toBe(answer);
  });
});
