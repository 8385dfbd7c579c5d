import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seasonFormatOf } from '../../../src/domain/standings/season-formats.ts';
import { gameLeft } from '../../../src/intelligence/seasons/game-left.ts';
import { playOff, seriesChance } from '../../../src/intelligence/seasons/playoff-chances.ts';
import { normalsOf, seededNumbers } from '../../../src/intelligence/seasons/random-numbers.ts';
import { type GameLeft, type SeasonLeft, seasonChances } from '../../../src/intelligence/seasons/season-chances.ts';
import { cases } from '../../support/cases.ts';

const team = (points: number, conference: string | null = null, division: string | null = null) => ({
  ...{ points, difference: 0, played: 10, conference, division },
});
const ONE = new Int16Array([1]);
const game = (home: number, away: number, homeWins: number, draw = 0): GameLeft => ({
  ...{ home, away, homeWins, draw, homeMargins: ONE, awayMargins: ONE },
});
const SOCCER = { win: 3, draw: 1, loss: 0, lateWin: 3, lateLoss: 0, lateShare: 0 };

function played(season: Partial<SeasonLeft> & Pick<SeasonLeft, 'teams'>, simulations = 4000) {
  const plain = { games: [], worth: SOCCER, byPoints: true, byDifference: true, unsure: 0, series: null };
  const simulated = seasonChances({ ...plain, format: undefined, ...season }, simulations, seededNumbers(7));
  let step = simulated.next();
  while (!step.done) step = simulated.next();
  return step.value;
}

const TABLE = { isTitleOfTable: true, relegated: 1, promoted: null, playoffs: null, doubleRoundOf: null, games: 11 };

describe('the chances of the rest of a season', () => {
  it('given one game that decides, then the chances are those of the game', () => {
    const [first, second, last] = played({
      teams: [team(20), team(19), team(3)],
      games: [game(0, 1, 0.3, 0.2)],
      format: TABLE,
    });
    expect(first!.title).toBeCloseTo(0.5, 1);
    expect(second!.title).toBeCloseTo(0.5, 1);
    expect([first!.relegation, second!.relegation, last!.relegation]).toEqual([0, 0, 1]);
    // 20 + 3 x .3 + .2.
    expect(first!.points).toBeCloseTo(21.1, 1);
    expect(first!.playoffs).toBeNull();
  });

  it('given doubt about strengths, then an outsider has more hope', () => {
    const games = Array.from({ length: 20 }, (_, index) => game(index % 2, 1 - (index % 2), index % 2 ? 0.3 : 0.7));
    const sure = played({ teams: [team(0), team(0)], games, format: TABLE });
    const unsure = played({ teams: [team(0), team(0)], games, format: TABLE, unsure: 0.8 });
    expect(unsure[1]!.title! - sure[1]!.title!).toBeGreaterThan(0.05);
  });

  it('given a hockey league, then some lose late and keep a point', () => {
    const worth = { win: 2, draw: 1, loss: 0, lateWin: 2, lateLoss: 1, lateShare: 0.25 };
    const [first, second] = played({ teams: [team(0), team(0)], games: [game(0, 1, 1)], worth });
    expect([first!.points, first!.title]).toEqual([2, null]);
    expect(second!.points).toBeCloseTo(0.25, 1);
  });

  it('given a league that gives three points, two of them late, then each game shares out three', () => {
    const worth = { win: 3, draw: 1, loss: 0, lateWin: 2, lateLoss: 1, lateShare: 0.25 };
    const [home, away] = played({ teams: [team(0), team(0)], games: [game(0, 1, 1)], worth });
    expect(home!.points).toBeCloseTo(2.75, 1);
    expect(home!.points + away!.points).toBeCloseTo(3, 10);
    const [second, first] = played({ teams: [team(0), team(0)], games: [game(0, 1, 0)], worth });
    expect([second!.points, first!.points]).toEqual([away!.points, home!.points]);
    const lossOfOne = { ...SOCCER, win: 2, loss: 1, lateWin: 2, lateLoss: 1 };
    expect(played({ teams: [team(0), team(0)], games: [game(0, 1, 1)], worth: lossOfOne })[1]!.points).toBe(1);
  });

  it('given two conferences, then places, play-in and title come out of playoffs', () => {
    const teams = ['East', 'West'].flatMap((conference) =>
      Array.from({ length: 15 }, (_, rank) => team(60 - rank, conference, `${conference} ${rank % 3}`)),
    );
    const series = (one: number, other: number) => (one % 15 < other % 15 ? 0.6 : one % 15 > other % 15 ? 0.4 : 0.5);
    const rows = played({ teams, format: seasonFormatOf('nba', 2025)!, byPoints: false, series }, 1000);
    const sum = (of: 'title' | 'playoffs') => rows.reduce((total, row) => total + row[of]!, 0);
    expect([sum('title'), sum('playoffs')]).toEqual([expect.closeTo(1, 9), expect.closeTo(16, 9)]);
    expect([rows[5]!.playoffs, rows[10]!.playoffs]).toEqual([1, 0]);
    expect(rows[6]!.playoffs).toBeCloseTo(0.6 + 0.4 * 0.6, 1);
    // Seventh against eighth, and what is left against the better of ninth and tenth.
    const nfl = played({ teams, format: seasonFormatOf('nfl', 2025)!, byPoints: false }, 10);
    expect(nfl.map(({ playoffs }) => playoffs).slice(0, 9)).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect(nfl[0]!.title).toBeNull();
  });

  it('given one table with places that go up and playoffs behind them, then one of these goes up as well', () => {
    const teams = Array.from({ length: 8 }, (_, rank) => team(40 - 3 * rank));
    const playoffs = { of: 'table', places: 4, ofDivision: 0, hasPlayIn: false, bestOf: [1] } as const;
    const format = { ...TABLE, promoted: 2, playoffs };
    const series = () => 0.5;
    const rows = played({ teams, format, series }, 4000);
    expect(rows.map(({ title }) => title)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
    expect(rows.map((row) => row.playoffs)).toEqual([0, 0, 1, 1, 1, 1, 0, 0]);
    expect(rows.map(({ promotion }) => promotion).slice(0, 2)).toEqual([1, 1]);
    for (const row of rows.slice(2, 6)) expect(row.promotion).toBeCloseTo(0.25, 1);
    expect(rows.reduce((sum, { promotion }) => sum + promotion!, 0)).toBeCloseTo(3, 9);
    expect(rows.at(-1)).toMatchObject({ relegation: 1, promotion: 0 });
    // Who has won the playoffs is not known once they are played: only that two go up at once is.
    expect(played({ teams, format }, 10)[0]).toMatchObject({ title: 1, promotion: null });
    const forTitle = played({ teams, format: { ...TABLE, isTitleOfTable: false, playoffs }, series }, 4000);
    expect(forTitle.map((row) => row.playoffs)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
    expect(forTitle[0]!.title).toBeCloseTo(0.25, 1);
    expect(forTitle[0]!.promotion).toBeNull();
  });

  it('given teams of unknown conferences, then nothing is said of playoffs', () => {
    const teams = Array.from({ length: 32 }, () => team(5));
    expect(played({ teams, format: seasonFormatOf('nfl', 2025)! }, 10)[0]).toMatchObject({
      title: null,
      playoffs: null,
    });
  });

  it('given any season, then one team has each title, and the same numbers give the same chances', () => {
    const season = fc.record({
      teams: fc.array(
        fc.nat({ max: 30 }).map((points) => team(points)),
        { minLength: 2, maxLength: 6 },
      ),
      games: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 10 }),
      unsure: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(season, ({ teams, games, unsure }) => {
        const all = games
          .map(([home, away, chance]) => game(home % teams.length, away % teams.length, chance))
          .filter(({ home, away }) => home !== away);
        const rows = played({ teams, games: all, unsure, format: TABLE }, 60);
        expect(rows.reduce((sum, { title }) => sum + title!, 0)).toBeCloseTo(1, 9);
        expect(rows.reduce((sum, { relegation }) => sum + relegation!, 0)).toBeCloseTo(1, 9);
        expect(played({ teams, games: all, unsure, format: TABLE }, 60)).toEqual(rows);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe('playoffs', () => {
  it('given a chance in one game, then that of a series is the negative binomial sum', () => {
    expect(seriesChance(0.6, 1)).toBeCloseTo(0.6, 12);
    // .36 + 2 x .36 x .4.
    expect(seriesChance(0.6, 3)).toBeCloseTo(0.648, 12);
    expect(seriesChance(0.5, 7)).toBeCloseTo(0.5, 12);
  });

  it('given any number of seeds, then one is left, and the best of seven waits for the second round', () => {
    for (let count = 1; count <= 9; count++) {
      const seeds = Array.from({ length: count }, (_, index) => index);
      expect(playOff(seeds, [1], (one, other) => Number(one < other), seededNumbers(1))).toBe(0);
    }
    const met: string[] = [];
    const noted = (one: number, other: number) => {
      met.push(`${one}-${other}`);
      return 1;
    };
    playOff([0, 1, 2, 3, 4, 5, 6], [1], noted, seededNumbers(1));
    expect(met).toEqual(['1-6', '2-5', '3-4', '0-3', '1-2', '0-1']);
  });
});

describe('what the simulation draws from', () => {
  it('given a seed, then the numbers are even, and normal ones have mean 0 and deviation 1', () => {
    const random = seededNumbers(3);
    const normal = normalsOf(random);
    const drawn = Array.from({ length: 20_000 }, normal);
    const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length;
    const variance = drawn.reduce((sum, one) => sum + (one - mean) ** 2, 0) / drawn.length;
    expect([mean, variance]).toEqual([expect.closeTo(0, 1), expect.closeTo(1, 1)]);
  });

  it('given a forecast, then margins are those of the winner', () => {
    const margin = { from: -2, probabilities: [0.1, 0.2, 0.2, 0.25, 0.25] };
    const left = gameLeft(0, 1, { home: 0.5, draw: 0.2, away: 0.3, margin, total: margin });
    expect([left.homeMargins.filter((one) => one === 1).length, Math.max(...left.homeMargins)]).toEqual([32, 2]);
    expect(left.awayMargins.filter((one) => one === 2).length).toBe(21);
  });
});
