import { describe, expect, it } from 'vitest';
import { readFacts } from '../../../src/forecasting/facts/log-facts.ts';
import { type Message, schedule, score } from '../../api/spec/messages.ts';
import { logOf } from '../../forecasting/track-record/game-messages.ts';

const START = '2026-02-01T18:00:00Z';

/** The starters of an event, as the models get them. */
async function startersOf(sport: string, lineups: readonly Record<string, unknown>[]) {
  const told: Message[] = [
    schedule({ sport, league: sport }, 'g1', ['Home', 'Away'], START, { at: '2026-01-25T18:00:00Z' }),
    ...lineups.map((more) => ({
      kind: 'lineup',
      source: 'feed',
      ref: 'g1',
      at: '2026-02-01T16:00:00Z',
      teams: {},
      ...more,
    })),
    score('g1', 'final', ['20', '17'], { at: '2026-02-01T22:00:00Z' }),
  ];
  const world = await logOf(told);
  try {
    const { stories } = await readFacts(world.log, { isWanted: () => true });
    const [{ fixtures, closesAt, results }] = stories as [(typeof stories)[0]];
    expect(results.at(-1)!.game!.starters).toEqual(fixtures.before(closesAt)!.starters);
    return fixtures.before(closesAt)!.starters;
  } finally {
    await world.close();
  }
}

const player = (name: string, position: string, starter: boolean) => ({ name, position, starter });
const lineup = (...players: ReturnType<typeof player>[]) => ({ teams: { home: { players } } });

describe('the starter', () => {
  it('is the announced one, whatever the lineup says', async () => {
    const announced = { probable_starters: { home: { name: 'Al Ibi' }, away: { name: 'Bo  Ten' } } };
    const starters = await startersOf('nfl', [{ ...lineup(player('Cy Lin', 'QB', true)), ...announced }]);
    expect(starters).toEqual({ home: 'alibi', away: 'boten' });
  });

  it.each([
    ['nfl', 'QB'],
    ['ncaaf', 'QB'],
    ['mlb', 'SP'],
  ])('in %s is else the starting %s of the lineup', async (sport, position) => {
    const players = [player('Al Ibi', position, true), player('Bo Ten', position, false), player('Cy Lin', 'C', true)];
    expect(await startersOf(sport, [lineup(...players)])).toEqual({ home: 'alibi', away: null });
  });

  it('is unknown if the lineup has two of them, or none, or the sport has no key starter', async () => {
    const two = lineup(player('Al Ibi', 'QB', true), player('Bo Ten', 'QB', true));
    expect(await startersOf('nfl', [two])).toEqual({ home: null, away: null });
    expect(await startersOf('nfl', [lineup(player('Cy Lin', 'C', true))])).toEqual({ home: null, away: null });
    expect(await startersOf('nba', [lineup(player('Cy Lin', 'C', true))])).toEqual({ home: null, away: null });
  });
});
