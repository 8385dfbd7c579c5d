import { describe, expect, it } from 'vitest';
import {
  applyCalibration,
  applyThreeWayCalibration,
  newCalibration,
  newThreeWayCalibration,
  type ThreeWay,
  updateThreeWayCalibration,
} from '../../../src/intelligence/models/calibration.ts';
import { numbersOf } from '../seasons.ts';

/** The forecast of home, draw and away; scaled to 1. */
function said(random: () => number): ThreeWay {
  const [a, b, c] = [0.2 + random(), 0.3 + 0.3 * random(), 0.2 + random()];
  return [a / (a + b + c), b / (a + b + c), c / (a + b + c)];
}

describe('a calibration of three outcomes', () => {
  it('learns how overconfident a model is, and how many draws it misses', () => {
    const random = numbersOf(11);
    const truth = { ...newThreeWayCalibration([1, 1], 0.7), draw: 0.3 };
    let calibration = newThreeWayCalibration([20, 20], 1);
    for (let match = 0; match < 40_000; match++) {
      const p = said(random);
      const [home, draw] = applyThreeWayCalibration(truth, p);
      const drawn = random();
      calibration = updateThreeWayCalibration(calibration, p, drawn < home ? 0 : drawn < home + draw ? 1 : 2);
    }
    expect(calibration.slope).toBeCloseTo(0.7, 1);
    expect(calibration.draw).toBeCloseTo(0.3, 1);
  });

  it('keeps three outcomes that sum to 1, and treats home and away alike', () => {
    const calibration = updateThreeWayCalibration(newThreeWayCalibration([5, 5], 1.2), [0.5, 0.3, 0.2], 1);
    const [home, draw, away] = applyThreeWayCalibration(calibration, [0.5, 0.3, 0.2]);
    expect(home + draw + away).toBeCloseTo(1, 12);
    expect(applyThreeWayCalibration(calibration, [0.2, 0.3, 0.5])).toEqual([away, draw, home]);
  });

  it('with less trust is nearer to even chances, and so is one of two outcomes', () => {
    const start = newThreeWayCalibration([5, 5], 1);
    const [full, half] = [1, 0.5].map((trust) => applyThreeWayCalibration(start, [0.7, 0.2, 0.1], trust));
    expect(half![0]).toBeLessThan(full![0]);
    expect(half![2]).toBeGreaterThan(full![2]);
    expect(applyCalibration(newCalibration(5, 1), 0.8, 0.5)).toBeCloseTo(2 / 3, 12);
  });
});
