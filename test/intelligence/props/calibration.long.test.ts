import { describe, expect, it } from 'vitest';
import type { SportSlug } from '../../../src/domain/catalogue/catalogue.ts';
import type { PastStat } from '../../../src/intelligence/props/prop-forecast.ts';
import { forecastProp } from '../../../src/intelligence/props/prop-forecast.ts';
import { numbersOf } from '../seasons.ts';

/** A kind of player: how the ratio of his rate to the usual one is distributed, and his games around that rate. */
interface Kind {
  readonly sport: SportSlug;
  readonly stat: string;
  readonly usual: number;
  /** Shapes of the gamma distribution of rates, and of a game around its rate. */
  readonly talent: number;
  readonly form: number;
  /** The range of his minutes; null if boxes have none. */
  readonly minutes: readonly [number, number] | null;
}
const KINDS: readonly Kind[] = [
  { sport: 'nba', stat: 'points', usual: 11.8, talent: 4, form: 4, minutes: [16, 38] },
  { sport: 'nba', stat: 'rebounds', usual: 4.3, talent: 4, form: 10, minutes: [16, 38] },
  { sport: 'nfl', stat: 'receptions', usual: 3, talent: 4, form: 10, minutes: null },
  { sport: 'mlb', stat: 'pitching_strikeouts', usual: 5, talent: 12, form: 60, minutes: null },
  { sport: 'nhl', stat: 'shots_on_goal', usual: 2, talent: 4, form: 12, minutes: null },
];

/** For whole shapes with mean 1: a sum of waiting times. */
function gamma(shape: number, random: () => number): number {
  let sum = 0;
  for (let i = 0; i < shape; i++) sum -= Math.log(random());
  return sum / shape;
}

function poisson(mean: number, random: () => number): number {
  let [count, product] = [0, random()];
  for (const limit = Math.exp(-mean); product > limit; count++) product *= random();
  return count;
}

/**
 * Seasons of players. Each game but the first few is forecast from those before it, on a line near the mean until then.
 */
function walked({ sport, stat, usual, talent, form, minutes }: Kind) {
  const random = numbersOf(7);
  const judged: {
    readonly probability: number;
    readonly hit: boolean;
    readonly over: number;
    readonly isOver: boolean;
  }[] = [];
  for (let player = 0; player < 150; player++) {
    const rate = usual * gamma(talent, random);
    const past: PastStat[] = [];
    for (let game = 0; game < 30; game++) {
      const played = minutes && minutes[0] + (minutes[1] - minutes[0]) * random();
      const value = poisson(rate * (played === null ? 1 : played / 24) * gamma(form, random), random);
      if (game >= 4) {
        const mean = past.reduce((sum, one) => sum + one.value, 0) / past.length;
        const line = Math.max(0, Math.floor(mean) + (game % 3) - 1) + 0.5;
        const { side, probability } = forecastProp({ sport, stat, line }, past);
        const over = side === 'over' ? probability : 1 - probability;
        judged.push({ probability, hit: value > line === (side === 'over'), over, isOver: value > line });
      }
      past.push({ value, minutes: played });
    }
  }
  return judged;
}

const shareOf = (flags: readonly boolean[]): number => flags.filter(Boolean).length / flags.length;
const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

describe('forecasts of made-up players, walked forward', () => {
  it.each(KINDS)('$sport $stat: lines are passed as often as is said', (kind) => {
    const judged = walked(kind);
    expect(Math.abs(meanOf(judged.map(({ over }) => over)) - shareOf(judged.map(({ isOver }) => isOver)))).toBeLessThan(
      0.045,
    );
    expect(
      Math.abs(meanOf(judged.map(({ probability }) => probability)) - shareOf(judged.map(({ hit }) => hit))),
    ).toBeLessThan(0.06);
  });

  it.each(KINDS)('$sport $stat: what is said to be surer comes in oftener', (kind) => {
    const judged = walked(kind).sort((a, b) => a.probability - b.probability);
    const third = Math.floor(judged.length / 3);
    const hits = [0, 1, 2].map((part) => shareOf(judged.slice(part * third, (part + 1) * third).map(({ hit }) => hit)));
    expect(hits[1]!).toBeGreaterThan(hits[0]!);
    expect(hits[2]!).toBeGreaterThan(hits[1]!);
  });

  it.each(KINDS)('$sport $stat: says more than that either side is as likely', (kind) => {
    const losses = walked(kind).map(({ probability, hit }) => -Math.log(hit ? probability : 1 - probability));
    expect(meanOf(losses)).toBeLessThan(Math.log(2) - 0.015);
  });
});
