import { describe, expect, it } from 'vitest';
import type { EvaluatedForecast } from '../../../src/intelligence/evaluation/forecast-measures.ts';
import {
  calibrationBins,
  computeMeasures,
  pairedDifference,
} from '../../../src/intelligence/evaluation/forecast-measures.ts';

const times = (count: number, probabilities: readonly number[], outcome: number): EvaluatedForecast[] =>
  Array.from({ length: count }, () => ({ probabilities, outcome }));
const logit = (p: number) => Math.log(p / (1 - p));

describe('two-way forecasts', () => {
  // With two probabilities, the line goes through the log odds of their observed shares.
  const games = [
    ...times(30, [0.8, 0.2], 0),
    ...times(10, [0.8, 0.2], 1),
    ...times(20, [0.4, 0.6], 0),
    ...times(40, [0.4, 0.6], 1),
  ];

  it('have the mean log loss, the squared error of the first outcome, and the line through their log odds', () => {
    const slope = (logit(0.75) - logit(1 / 3)) / (logit(0.8) - logit(0.4));
    const told = computeMeasures(games);
    expect(told.n).toBe(100);
    expect(told.log_loss).toBeCloseTo(
      -(30 * Math.log(0.8) + 10 * Math.log(0.2) + 20 * Math.log(0.4) + 40 * Math.log(0.6)) / 100,
      12,
    );
    expect(told.brier).toBeCloseTo((30 * 0.04 + 10 * 0.64 + 20 * 0.36 + 40 * 0.16) / 100, 12);
    expect(told.slope).toBeCloseTo(slope, 8);
    expect(told.intercept).toBeCloseTo(logit(0.75) - slope * logit(0.8), 8);
  });

  it('fall into ten bins, without the empty ones', () => {
    expect(calibrationBins(games)).toEqual([
      { from: 0.4, to: 0.5, n: 60, predicted: expect.closeTo(0.4, 12), observed: expect.closeTo(1 / 3, 12) },
      { from: 0.8, to: 0.9, n: 40, predicted: expect.closeTo(0.8, 12), observed: 0.75 },
    ]);
  });

  it('have no measures below 30 games', () => {
    const none = { log_loss: null, brier: null, slope: null, intercept: null };
    expect(computeMeasures(games.slice(0, 29))).toEqual({ n: 29, ...none });
    expect(computeMeasures(games.slice(0, 30)).log_loss).not.toBeNull();
    expect(pairedDifference(games.slice(0, 29), games.slice(0, 29))).toEqual({ n: 29, difference: null, se: null });
  });

  it('have a loss but no line if all are equal or none was wrong', () => {
    const alike = computeMeasures([...times(20, [0.6, 0.4], 0), ...times(20, [0.6, 0.4], 1)]);
    const faultless = computeMeasures([...times(20, [0.6, 0.4], 0), ...times(20, [0.4, 0.6], 1)]);
    expect([alike.slope, alike.intercept, faultless.slope, faultless.intercept]).toEqual([null, null, null, null]);
    expect(alike.log_loss).toBeCloseTo(-(Math.log(0.6) + Math.log(0.4)) / 2, 12);
  });

  it('at 0 and 1 have a large but finite loss when they miss', () => {
    const { log_loss } = computeMeasures([...times(29, [1, 0], 0), ...times(1, [1, 0], 1)]);
    expect(log_loss).toBeCloseTo(-Math.log(1e-6) / 30, 4);
  });
});

describe('three-way forecasts', () => {
  it('have the sum of squared errors, and a line through all outcomes stacked', () => {
    // Every outcome occurs as often as forecast: the stacked line is the diagonal.
    const said = [0.5, 0.3, 0.2];
    const told = computeMeasures([...times(50, said, 0), ...times(30, said, 1), ...times(20, said, 2)]);
    expect(told.log_loss).toBeCloseTo(-(0.5 * Math.log(0.5) + 0.3 * Math.log(0.3) + 0.2 * Math.log(0.2)), 12);
    expect(told.brier).toBeCloseTo(1 - (0.25 + 0.09 + 0.04), 12);
    expect(told.slope).toBeCloseTo(1, 8);
    expect(told.intercept).toBeCloseTo(0, 8);
  });

  it('count every outcome in the bins', () => {
    const bins = calibrationBins(times(4, [0.5, 0.3, 0.2], 0));
    expect(bins.map(({ from, n, observed }) => [from, n, observed])).toEqual([
      [0.2, 4, 0],
      [0.3, 4, 0],
      [0.5, 4, 1],
    ]);
    expect(calibrationBins([{ probabilities: [1, 0], outcome: 0 }])[0]).toMatchObject({ from: 0.9, to: 1 });
  });
});

describe('two forecasts of the same games', () => {
  it('differ by a mean with its standard error', () => {
    const one = [...times(20, [0.6, 0.4], 0), ...times(20, [0.6, 0.4], 1)];
    const other = [...times(20, [0.5, 0.5], 0), ...times(20, [0.5, 0.5], 1)];
    const [won, lost] = [Math.log(0.5) - Math.log(0.6), Math.log(0.5) - Math.log(0.4)];
    const { n, difference, se } = pairedDifference(one, other);
    expect(n).toBe(40);
    expect(difference).toBeCloseTo((won + lost) / 2, 12);
    expect(se).toBeCloseTo(Math.sqrt((40 * ((lost - won) / 2) ** 2) / 39 / 40), 12);
  });

  it('are not compared if their numbers differ', () => {
    expect(() => pairedDifference(times(3, [0.5, 0.5], 0), [])).toThrow(RangeError);
  });
});
