import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../../src/domain/feed/parse-message.ts';

const head = { source: 's', at: '2026-09-01T00:00:00Z' };
const nfl = { sport: 'nfl', league: 'nfl' };
const starts_at = '2026-09-10T18:00:00Z';
const scheduled = (home: object) => ({
  kind: 'schedule',
  ...head,
  ...nfl,
  ref: '1',
  starts_at,
  participants: [
    { role: 'home', name: 'Chiefs', ...home },
    { role: 'away', name: 'Bills' },
  ],
});

/** Every place of a message that holds a name, by its path. */
const places: readonly (readonly [string, (name: string) => object])[] = [
  ['participants.0.name', (name) => scheduled({ name })],
  ['participants.0.members.1.name', (name) => scheduled({ members: [{ name: 'A' }, { name }] })],
  ['venue.name', (name) => ({ ...scheduled({}), venue: { name } })],
  [
    'match.home',
    (home) => ({ kind: 'score', ...head, match: { ...nfl, starts_at, home, away: 'B' }, status: 'final' }),
  ],
  ['name', (name) => ({ kind: 'team', ...head, ...nfl, ref: '1', name, abbreviation: 'A' })],
  [
    'aliases.1',
    (name) => ({ kind: 'team', ...head, ...nfl, ref: '1', name: 'A', abbreviation: 'A', aliases: ['x', name] }),
  ],
  ['full_name', (full_name) => ({ kind: 'player', ...head, sport: 'nfl', ref: '1', full_name })],
  ['player', (player) => ({ kind: 'injury', ...head, ...nfl, team: 'Chiefs', player, status: 'out' })],
  [
    'markets.0.outcomes.0.player',
    (player) => ({
      kind: 'odds',
      ...head,
      ref: '1',
      bookmaker: 'b',
      markets: [{ key: 'receptions', outcomes: [{ outcome: 'over', price: 100, point: 1.5, player }] }],
    }),
  ],
  [
    'players.0.name',
    (name) => ({ kind: 'box', ...head, ref: '1', players: [{ ref: '1', name, role: 'home', stats: {} }] }),
  ],
  [
    'teams.home.players.0.name',
    (name) => ({ kind: 'lineup', ...head, ref: '1', teams: { home: { players: [{ name, starter: true }] } } }),
  ],
];

describe('a name in a message', () => {
  it.each(places)('that was read in a wrong encoding is rejected: %s', (path, messageOf) => {
    expect(parseMessage(messageOf('Atl\ufffdtico'))).toMatchObject({ rejection: { code: 'damaged_text', path } });
  });

  it.each(places)('is kept in normal form C: %s', (path, messageOf) => {
    const parsed = parseMessage(messageOf('Atle\u0301tico')) as { message: object };
    const kept = path.split('.').reduce<any>((value, member) => value[member], parsed.message);
    expect(kept).toBe('Atl\u00e9tico');
  });
});
