import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MLB, NFL, player, schedule, team } from '../../api/spec/messages.ts';
import { type ResolvingServer, startResolverServer, summarizeAnswer } from './resolver-server.ts';

let server: ResolvingServer;
let nflKey: string;
beforeAll(async () => {
  server = await startResolverServer(
    team(NFL, 'nyg', 'New York Giants', 'NYG'),
    team(MLB, 'sf', 'San Francisco Giants', 'SF'),
    player('mlb', 'webb', 'Logan Webb', { team_ref: 'sf' }),
    player('nfl', 'nabers', 'Malik Nabers', { team_ref: 'nyg' }),
    schedule(MLB, 'game', ['San Francisco Giants', 'Arizona Diamondbacks'], '2026-03-01T18:00:00Z'),
  );
  nflKey = await server.newKey(['nfl']);
});
afterAll(() => server.close());

describe('answers', () => {
  const teamMembers = 'status,team_id,display_name,abbreviation,sport,confidence,match_reasons,candidates'.split(',');
  const playerMembers = 'status,player_id,display_name,sport,confidence,match_reasons,clues_used,candidates'.split(',');
  it('have all members, whatever the status, and cost 1', async () => {
    for (const [kind, members, queries] of [
      ['team', teamMembers, ['NYG', 'Giants', 'Nobody']],
      ['player', playerMembers, ['Logan Webb', 'Webb', 'Nobody']],
    ] as const) {
      const statuses: string[] = [];
      for (const query of queries) {
        const { status, body, credits } = await server.post(`/v1/resolve/${kind}`, { query });
        expect([status, credits]).toEqual([200, 1]);
        expect(Object.keys(body)).toEqual(members);
        statuses.push(body.status);
      }
      expect(statuses).toEqual(['resolved', 'ambiguous', 'not_found']);
    }
  });

  it('have the entry if resolved, else only the candidates', async () => {
    const id = await server.teamId('New York Giants');
    expect(await server.team({ query: 'NYG' })).toEqual({
      status: 'resolved',
      team_id: id,
      display_name: 'New York Giants',
      abbreviation: 'NYG',
      sport: 'nfl',
      confidence: 0.95,
      match_reasons: ['abbreviation'],
      candidates: [],
    });
    const playerId = await server.playerId('Logan Webb');
    const candidate = { player_id: playerId, display_name: 'Logan Webb', sport: 'mlb' };
    expect(await server.player({ query: 'Webb' })).toEqual({
      status: 'ambiguous',
      player_id: null,
      display_name: null,
      sport: null,
      confidence: 0.7,
      match_reasons: [],
      clues_used: [],
      candidates: [{ ...candidate, confidence: 0.7, match_reasons: ['last_name'] }],
    });
    expect(await server.team({ query: 'Nobody' })).toEqual({
      status: 'not_found',
      team_id: null,
      display_name: null,
      abbreviation: null,
      sport: null,
      confidence: 0,
      match_reasons: [],
      candidates: [],
    });
  });
});

describe('rejected with 422', () => {
  const long = 'a'.repeat(201);
  it.each<[string, object, (string | number)[]]>([
    ['team', {}, ['body', 'query']],
    ['team', { query: null }, ['body', 'query']],
    ['team', { clues: { sport: 'nfl', league: 'nfl' } }, ['body', 'query']],
    ['team', { query: '   ' }, ['body', 'query']],
    ['team', { query: long }, ['body', 'query']],
    ['team', { query: 5 }, ['body', 'query']],
    ['team', { query: 'a\0b' }, ['body', 'query']],
    ['team', { query: '', clues: { team_id: 1 } }, ['body', 'query']],
    ['team', { query: 'x', clues: 'nfl' }, ['body', 'clues']],
    ['team', { query: 'x', clues: { event_id: '5' } }, ['body', 'clues', 'event_id']],
    ['team', { query: 'x', clues: { sport: 5 } }, ['body', 'clues', 'sport']],
    ['team', { query: 'x', options: { min_confidence: 1.01 } }, ['body', 'options', 'min_confidence']],
    ['team', { query: 'x', options: { min_confidence: -0.1 } }, ['body', 'options', 'min_confidence']],
    ['team', { query: 'x', options: { min_confidence: '1' } }, ['body', 'options', 'min_confidence']],
    ['player', {}, ['body', 'query']],
    ['player', { query: null, clues: { event_id: 1 } }, ['body', 'query']],
    ['player', { query: ' \n ' }, ['body', 'query']],
    ['player', { query: long }, ['body', 'query']],
    ['player', { query: 'x', options: { mode: 'lax' } }, ['body', 'options', 'mode']],
    ['player', { query: 'x', options: { min_confidence: 2 } }, ['body', 'options', 'min_confidence']],
    ['player', { query: 'x', clues: { team_id: 1.5 } }, ['body', 'clues', 'team_id']],
  ])('%s %o', async (kind, body, loc) => {
    const answer = await server.post(`/v1/resolve/${kind}`, body);
    expect([answer.status, answer.body.error.code, answer.credits]).toEqual([422, 'validation_error', 0]);
    expect(answer.body.error.errors[0].loc).toEqual(loc);
  });

  it('accepts up to 200 characters without surrounding spaces, and null members', async () => {
    expect(summarizeAnswer(await server.team({ query: `   ${'😀'.repeat(200)}   ` }))).toBe('not_found');
    expect(summarizeAnswer(await server.team({ query: 'NYG', clues: null, options: null }))).toMatch(
      /^New York Giants/,
    );
    const options = { min_confidence: null, mode: null, more: 1 };
    expect(summarizeAnswer(await server.player({ query: 'Logan Webb', clues: { sport: null }, options }))).toMatch(
      /^Logan Webb/,
    );
  });
});

describe('a key of one sport', () => {
  it('finds only entries in scope', async () => {
    expect(summarizeAnswer(await server.team({ query: 'Giants' }, nflKey))).toBe('New York Giants (nfl) 0.9 nickname');
    expect(summarizeAnswer(await server.team({ query: 'San Francisco Giants' }, nflKey))).toBe('not_found');
    expect(summarizeAnswer(await server.player({ query: 'Logan Webb' }, nflKey))).toBe('not_found');
    expect(
      summarizeAnswer(await server.player({ query: 'Malik Nabers', clues: { team_text: 'Giants' } }, nflKey)),
    ).toBe('Malik Nabers (nfl) 1 name+team_text');
    expect(summarizeAnswer(await server.team({ query: 'Giants', clues: { sport: 'curling' } }, nflKey))).toBe(
      'not_found',
    );
    expect(summarizeAnswer(await server.team({ query: 'Giants', clues: { team_id: 999_999 } }, nflKey))).toBe(
      'not_found',
    );
  });

  it.each(['team', 'player'])('is rejected with clues out of scope for a %s', async (kind) => {
    const clues = [
      { sport: 'mlb' },
      { event_id: await server.eventId('feed', 'game') },
      { team_id: await server.teamId('San Francisco Giants') },
      ...(kind === 'team' ? [{ player_id: await server.playerId('Logan Webb') }] : []),
    ];
    for (const given of clues) {
      const { status, body } = await server.post(
        `/v1/resolve/${kind}`,
        { query: 'Giants', clues: given },
        { key: nflKey },
      );
      expect([given, status, body.error?.code]).toEqual([given, 403, 'sport_scope_denied']);
    }
  });
});
