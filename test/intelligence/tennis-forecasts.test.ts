import { expect, it } from 'vitest';
import { BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { ATP, type Message, market, odds, schedule, score } from '../api/spec/messages.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-01-05T10:00:00Z');
const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');
const PLAYERS = ['Anna Aster', 'Bea Birch', 'Cora Cedar', 'Dora Daisy'];
const setsOf = (games: readonly number[]) => games.map((score, i) => ({ period: `S${i + 1}`, score }));

/** The player earlier in the list wins. */
function messages(matches: number): Message[] {
  return Array.from({ length: matches }, (_, n) => {
    const [one, two] = [n % 3, (n % 3) + 1 + (n % (3 - (n % 3)))];
    const at = START + n * DAY;
    return [
      schedule(ATP, `m${n}`, [PLAYERS[one]!, PLAYERS[two]!], iso(at), { at: iso(at - DAY) }),
      score(
        `m${n}`,
        'final',
        [
          { score: '6 6', is_winner: true, period_scores: setsOf([6, 6]) },
          { score: '3 4', is_winner: false, period_scores: setsOf([3, 4]) },
        ],
        { sport: 'tennis', at: iso(at + DAY / 12) },
      ),
    ];
  }).flat();
}

it('matches of tennis are forecast by p1 and p2, and a player’s rank counts', async () => {
  const at = START + 120 * DAY;
  const server = await serveAgent({ time: at - DAY / 24 });
  try {
    await server.feed(
      ...messages(110),
      schedule(ATP, 'next', [PLAYERS[0]!, PLAYERS[3]!], iso(at), { at: iso(at - DAY) }),
      odds(
        'next',
        'pinnacle',
        [
          market('h2h', [
            ['player_1', -150],
            ['player_2', 130],
          ]),
        ],
        { at: iso(at - DAY / 20) },
      ),
    );
    const id = await server.eventId('feed', 'next');
    const { bets, forecasts, available }: any = await server.get(`/v1/events/${id}/intelligence`, BOOTSTRAP_KEY);
    expect(available).toBe(true);
    expect(bets[0].probability).toBeGreaterThan(0.6);
    expect(bets[0].probability + bets[1].probability).toBeCloseTo(1, 9);
    expect(forecasts).toHaveLength(1);
    expect(forecasts[0]).toMatchObject({ bet_type: 'ML_P1', side: 'p1', player: PLAYERS[0], player_role: 'player_1' });
    expect(forecasts[0].books).toEqual({ pinnacle: { p1: -150, p2: 130 } });
    const drivers = forecasts[0].drivers.map(({ id: name }: any) => name);
    expect(drivers).toEqual(expect.arrayContaining(['p1_rating', 'p2_rating', 'games_share']));
    expect(drivers).not.toContain('p1_rank');
  } finally {
    await server.close();
  }
}, 60_000);
