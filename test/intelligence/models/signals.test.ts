import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import { mixtureOf, type Part, type PartMemory } from '../../../src/intelligence/models/mixture.ts';
import type { FinishedGame } from '../../../src/intelligence/models/model.ts';
import { crowdedSchedule } from '../../../src/intelligence/models/parts/crowded-schedule.ts';
import { homeStand } from '../../../src/intelligence/models/parts/home-stand.ts';
import { lastMeeting } from '../../../src/intelligence/models/parts/last-meeting.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf } from '../seasons.ts';

const DAY = 86_400_000;
const [plain] = gamesOf('nba', 'nba', 1, numbersOf(1));

interface Played {
  readonly day: number;
  readonly home: string;
  readonly away: string;
  readonly isNeutral?: boolean;
  readonly surprise?: number;
}
const gameOf = ({ day, home, away, isNeutral = false }: Played): FinishedGame => ({
  ...plain!,
  ...{ home, away, isNeutral, startsAt: day * DAY },
});

/** What a signal says of a game after others. */
function told<Side>(part: Part<any, Side>, played: readonly Played[], next: Played): number {
  const sides = new Map<string, Side>();
  const memoryOf = ({ home, away }: Played): PartMemory<any, Side> => ({
    league: part.newLeague,
    sides: [sides.get(home) ?? part.newSide, sides.get(away) ?? part.newSide],
  });
  for (const one of played) {
    const { sides: after } = part.learn(memoryOf(one), gameOf(one), one.surprise ?? 0);
    sides.set(one.home, after[0]).set(one.away, after[1]);
  }
  return part.odds(memoryOf(next), gameOf(next));
}

const bulls = { home: 'Bulls', away: 'Nets' };
const swapped = { home: 'Nets', away: 'Bulls' };

describe('a crowded schedule', () => {
  const week = [1, 3, 5].map((day) => ({ day, home: 'Bulls', away: `side ${day}` }));
  it('is the games of the last two weeks that home has more than away', () => {
    const played = [...week, { day: 5, home: 'side 9', away: 'Nets' }];
    expect(told(crowdedSchedule, played, { day: 6, ...bulls })).toBe(2);
    expect(told(crowdedSchedule, played, { day: 6, ...swapped })).toBe(-2);
    expect(told(crowdedSchedule, played, { day: 18, ...bulls })).toBe(0);
    expect(told(crowdedSchedule, played, { day: 40, ...bulls })).toBe(0);
  });
  it('stays small, however often a side plays', () => {
    const daily = Array.from({ length: 40 }, (_, i) => ({ day: i / 10, home: 'Bulls', away: `side ${i}` }));
    expect(told(crowdedSchedule, daily, { day: 5, ...bulls })).toBe(14);
  });
});

describe('a home stand', () => {
  const away = [1, 3].map((day) => ({ day, home: `side ${day}`, away: 'Nets' }));
  const atHome = [1, 3, 5].map((day) => ({ day, home: 'Bulls', away: `side ${day}` }));
  it('is how many games longer home has been at home than away has', () => {
    expect(told(homeStand, [...away, ...atHome], { day: 6, ...bulls })).toBe(5);
    expect(told(homeStand, [...away, ...atHome, { day: 6, home: 'side 6', away: 'Bulls' }], { day: 7, ...bulls })).toBe(
      1,
    );
  });
  it('says nothing on neutral ground, after a break, or of a game on neutral ground', () => {
    expect(told(homeStand, atHome, { day: 6, ...bulls, isNeutral: true })).toBe(0);
    expect(told(homeStand, atHome, { day: 60, ...bulls })).toBe(0);
    expect(told(homeStand, [{ day: 1, ...bulls, isNeutral: true }], { day: 2, ...bulls })).toBe(0);
  });
});

describe('a last meeting', () => {
  it('is how much better than expected home ended it, by either side', () => {
    const played = [
      { day: 1, ...bulls, surprise: 0.4 },
      { day: 2, home: 'Bulls', away: 'Hawks', surprise: -0.6 },
    ];
    expect(told(lastMeeting, played, { day: 9, ...bulls })).toBe(0.4);
    expect(told(lastMeeting, played, { day: 9, ...swapped })).toBe(-0.4);
    expect(told(lastMeeting, [...played, { day: 3, ...swapped, surprise: 0.1 }], { day: 9, ...bulls })).toBe(-0.1);
    expect(told(lastMeeting, played, { day: 9, home: 'Nets', away: 'Hawks' })).toBe(0);
  });
  it('is forgotten after sixteen other opponents', () => {
    const others = Array.from({ length: 16 }, (_, i) => ({ day: 2 + i, home: 'Bulls', away: `side ${i}` }));
    const played = [{ day: 1, ...swapped, surprise: 0.3 }, ...others.slice(0, 15)];
    expect(told(lastMeeting, played, { day: 30, ...bulls })).toBe(-0.3);
    const both = [...played, ...others.slice(15), { day: 20, home: 'side 0', away: 'Hawks' }];
    expect(told(lastMeeting, both, { day: 30, home: 'Bulls', away: 'Nets' })).toBe(0);
  });
});

it('a signal adds its weight for each unit to the log odds, and its driver is the signal itself', () => {
  const first = modelOf('nba', 'nba', ['crowded_schedule']);
  const model = mixtureOf(first, [crowdedSchedule], { version: 'test-1.0', initial: [-0.5], firmness: [1e9] });
  const memories = [first, model].map((one) => new LeagueMemory<any, any>(one));
  const played = [1, 3].map((day) => gameOf({ day, home: 'Bulls', away: 'Hawks' }));
  for (const memory of memories) for (const game of played) memory.learn(game);
  const next = gameOf({ day: 4, ...bulls });
  const [alone, mixed] = memories.map((memory) => memory.forecast(next));
  const oddsOf = (one: typeof alone) => Math.log(one!.home / one!.away);
  expect(oddsOf(mixed) - oddsOf(alone)).toBeCloseTo(-1, 9);
  const { league, sides } = memories[1]!.toJSON();
  const known = { league, sides: model.sidesOf(next).map((id) => new Map(sides).get(id!) ?? model.newSide) };
  expect(model.inputs(known, next)).toContainEqual(expect.objectContaining({ id: 'crowded_schedule', value: 2 }));
});
