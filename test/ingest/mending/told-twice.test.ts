import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MendingServer, openMendingServer } from '../subjects/mending-server.ts';

/** One source tells the same of two games, and of two teams and players, that are one for a while. */
const NFL = { sport: 'nfl', league: 'nfl' };
const EARLY = '2026-09-01T00:00:00Z';
const AT = '2026-09-10T00:00:00Z';
const game = (ref: string, startsAt: string) => ({
  ...NFL,
  ...{ kind: 'schedule', source: 'a', at: EARLY, ref, starts_at: startsAt },
  participants: [
    { role: 'home', name: 'Bears' },
    { role: 'away', name: 'Lions' },
  ],
});
const head = (kind: string, ref: string) => ({ kind, source: 'a', at: AT, ref });
const odds = (ref: string) => ({
  ...head('odds', ref),
  bookmaker: 'pinnacle',
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -120 }] }],
});
const splits = (ref: string) => ({
  ...head('splits', ref),
  markets: { moneyline: { home: { bets_pct: 60, handle_pct: 50 }, away: { bets_pct: 40, handle_pct: 50 } } },
});
const box = (ref: string) => ({
  ...head('box', ref),
  teams: { home: { passing_yards: 200 } },
});
const lineup = (ref: string) => ({
  ...head('lineup', ref),
  teams: { home: { players: [{ ref: 'p', name: 'Jo Doe', starter: true }] } },
});
const score = (ref: string) => ({
  ...head('score', ref),
  status: 'inprogress',
  scores: [{ role: 'home', score: '7' }],
});
const checked = (ref: string) => ({ ...head('injury', ref), checked: true });
const team = (ref: string, name: string, at: string) => ({
  ...NFL,
  ...{ kind: 'team', source: 'a', at, ref, name, abbreviation: 'B' },
});
const player = (ref: string, name: string, at: string) => ({
  ...NFL,
  ...{ kind: 'player', source: 'a', at, ref, full_name: name },
});
const injury = (teamRef: string, playerRef: string) => ({
  ...NFL,
  ...{ kind: 'injury', source: 'a', at: AT, player: 'Jo Doe', status: 'out', team_ref: teamRef, player_ref: playerRef },
});
const act = (action: string, members: object) => ({
  ...{ kind: 'identity', source: 'operator', at: '2026-09-11T00:00:00Z', action, ...members },
});
const undo = (number: number) => act('undo', { act: number });

let server: MendingServer;
beforeEach(async () => {
  server = await openMendingServer();
});
afterEach(() => server.close());

/** What the present stream of a plain name reports. */
async function reportsIn(plain: string): Promise<string[]> {
  const records = await server.log.readStream(server.log.replacements.current(plain));
  return records.map(({ type }) => type).filter((type) => /Changed|Reported|Checked/.test(type));
}

describe('what a source told of two things that were one', () => {
  it.each([
    ['score', score, 'event'],
    ['check of injuries', checked, 'event'],
    ['price', odds, 'odds'],
    ['splits', splits, 'splits'],
    ['box', box, 'box'],
    ['lineup', lineup, 'lineup'],
  ])('is told of both again once they are two: a %s', async (_, message, stream) => {
    await server.tell(game('g1', '2026-09-13T17:00:00Z'), game('g2', '2026-09-20T17:00:00Z'));
    const before = await reportsIn(`${stream}-2`);
    const merge = act('merge', { what: 'event', from: 2, into: 1 });
    expect(await server.tell(merge, message('g1'), message('g2'))).toEqual(['accepted', 'accepted', 'accepted']);
    expect(await server.tell(message('g1'), message('g2'))).toEqual(['unchanged', 'unchanged']);
    const asOne = await reportsIn(`${stream}-1`);
    expect(await server.tell(undo(1))).toEqual(['accepted']);

    const [one, other] = [await reportsIn(`${stream}-1`), await reportsIn(`${stream}-2`)];
    expect(other.length).toBe(before.length + 1);
    expect(other.at(-1)).toBe(one.at(-1));
    expect(await server.tell(message('g1'), message('g2'))).toEqual(['unchanged', 'unchanged']);
    expect(await server.tell(undo(2))).toEqual(['accepted']);
    expect(await reportsIn(`${stream}-1`)).toEqual(asOne);
  });

  it('is told of both again: a late score', async () => {
    await server.tell(game('g1', '2026-09-13T17:00:00Z'), game('g2', '2026-09-20T17:00:00Z'));
    const newer = { ...score('g1'), at: '2026-09-10T01:00:00Z', scores: [{ role: 'home', score: '9' }] };
    const merge = act('merge', { what: 'event', from: 2, into: 1 });
    const told = await server.tell(merge, newer, score('g1'), score('g2'), score('g2'), undo(1));
    expect(told).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'unchanged', 'accepted']);
    expect((await reportsIn('event-2')).filter((type) => type === 'ScoreChanged')).toHaveLength(1);
  });

  it('is told of both again: a schedule, and what it calls the event', async () => {
    await server.tell(game('g1', '2026-09-13T17:00:00Z'), game('g2', '2026-09-20T17:00:00Z'));
    const moved = (ref: string) => ({ ...game(ref, '2026-09-14T17:00:00Z'), at: AT });
    const merge = act('merge', { what: 'event', from: 2, into: 1 });
    expect(await server.tell(merge, moved('g1'), moved('g2'), undo(1))).toEqual(new Array(4).fill('accepted'));
    const second = (await server.document('events', 2)) as any;
    expect(second.event.schedule.starts_at).toBe('2026-09-14T17:00:00Z');
    expect(await server.identities.findEvent('a', 'g2')).toMatchObject({ id: 2 });
  });

  it('is told of both again: a description', async () => {
    await server.tell(team('b1', 'Bears', EARLY), team('b2', 'Da Bears', EARLY));
    const told = [team('b1', 'Chicago Bears', AT), team('b2', 'Chicago Bears', AT)];
    const merge = act('merge', { what: 'team', from: 2, into: 1 });
    expect(await server.tell(merge, ...told, ...told)).toEqual([
      ...new Array(3).fill('accepted'),
      'unchanged',
      'unchanged',
    ]);
    expect(await server.tell(undo(1))).toEqual(['accepted']);
    expect(((await server.document('teams', 2)) as any).facts.name).toBe('Chicago Bears');
  });

  it('is told of both again: a player, and his injury', async () => {
    await server.tell(team('b1', 'Bears', EARLY), team('b2', 'Da Bears', EARLY));
    await server.tell(player('p1', 'Jo Doe', EARLY), player('p2', 'Joe Doe', EARLY));
    const both = [act('merge', { what: 'team', from: 2, into: 1 }), act('merge', { what: 'player', from: 2, into: 1 })];
    const told = [player('p1', 'J. Doe', AT), player('p2', 'J. Doe', AT), injury('b1', 'p1'), injury('b2', 'p2')];
    expect(await server.tell(...both, ...told, undo(2), undo(1))).toEqual(new Array(8).fill('accepted'));
    expect(((await server.document('players', 2)) as any).facts.full_name).toBe('J. Doe');
    expect(await reportsIn('injuries-2')).toEqual(['InjuryReported']);
  });

  it('is told of both once one of two refs is split off', async () => {
    await server.tell(game('g1', '2026-09-13T17:00:00Z'), { ...game('g1', '2026-09-13T17:00:00Z'), ref: 'g1b' });
    expect(await server.tell(score('g1'), score('g1b'))).toEqual(['accepted', 'accepted']);
    const split = act('split', { what: 'event', source_ref: { source: 'a', ref: 'g1b' } });
    expect(await server.tell(split)).toEqual(['accepted']);
    const [{ content }] = (await server.acts()) as [{ content: { into: number } }];
    expect((await reportsIn(`event-${content.into}`)).filter((type) => type === 'ScoreChanged')).toHaveLength(1);
  });
});
