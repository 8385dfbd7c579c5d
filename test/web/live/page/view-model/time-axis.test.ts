import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeTimes,
  createTimeAxis,
  fractionAt,
  momentAtStep,
  nearestChange,
  SLIDER_STEPS,
  stepAtMoment,
  timeAt,
  timeAxisTicks,
} from '../../../../../src/web/live/page/view-model/time-axis.ts';

const HOUR = 3_600_000;
const T0 = Date.parse('2026-03-01T00:00:00Z');
const linear = createTimeAxis(T0, T0 + 4 * HOUR, T0 + HOUR);
/** Lines for a day, then three hours of play. */
const bent = createTimeAxis(T0, T0 + 27 * HOUR, T0 + 24 * HOUR);

describe('the time axis', () => {
  it('runs at one rate where play takes most of it', () => {
    expect(linear.bend).toBeNull();
    expect(fractionAt(linear, T0 + HOUR)).toBe(0.25);
  });

  it('leaves most of the width to play after a long time before it', () => {
    expect(fractionAt(bent, T0 + 24 * HOUR)).toBeCloseTo(0.3);
    expect(fractionAt(bent, T0 + 25.5 * HOUR)).toBeCloseTo(0.65);
  });

  it('has an extent even where nothing but one moment is known', () => {
    expect(fractionAt(createTimeAxis(T0, T0, null), T0)).toBe(0);
  });

  it('puts what lies beyond its ends there', () => {
    expect([fractionAt(bent, T0 - 1), fractionAt(bent, T0 + 99 * HOUR)]).toEqual([0, 1]);
    expect([timeAt(bent, -1), timeAt(bent, 2)]).toEqual([T0, T0 + 27 * HOUR]);
  });

  it('leads there and back, and later is further right', () => {
    const axes = fc.constantFrom(linear, bent);
    const property = fc.property(axes, fc.double({ min: 0, max: 1, noNaN: true }), (axis, fraction) => {
      expect(fractionAt(axis, timeAt(axis, fraction))).toBeCloseTo(fraction, 5);
      expect(timeAt(axis, Math.min(1, fraction + 0.001))).toBeGreaterThanOrEqual(timeAt(axis, fraction));
    });
    fc.assert(property);
  });

  it('writes no two ticks alike, however close they are', () => {
    for (const minutes of [0.5, 3, 5, 20, 600, 20_000]) {
      const texts = timeAxisTicks(createTimeAxis(T0, T0 + minutes * 60_000, null), 10).map(({ text }) => text);
      expect(new Set(texts).size, `${minutes} minutes`).toBe(texts.length);
    }
  });

  it('has ticks at round moments, in order, within it', () => {
    for (const axis of [linear, bent]) {
      const fractions = timeAxisTicks(axis, 8).map(({ fraction }) => fraction);
      expect(fractions.length).toBeGreaterThan(2);
      expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    }
  });
});

describe('the slider', () => {
  it('is at now on its last step, and nowhere else', () => {
    expect(momentAtStep(bent, SLIDER_STEPS)).toBeNull();
    expect(momentAtStep(bent, SLIDER_STEPS - 1)).not.toBeNull();
    expect(stepAtMoment(bent, null)).toBe(SLIDER_STEPS);
    expect(stepAtMoment(bent, T0 + 27 * HOUR)).toBe(SLIDER_STEPS - 1);
  });

  it('stays where it was put', () => {
    const property = fc.property(fc.integer({ min: 0, max: SLIDER_STEPS }), (step) => {
      expect(stepAtMoment(bent, momentAtStep(bent, step))).toBe(step);
    });
    fc.assert(property);
  });

  it('goes from change to change, and after the last one to now', () => {
    const changes = changeTimes([{ at: 5 }, { at: 3 }], [{ at: 9 }, { at: 5 }]);
    expect(changes).toEqual([3, 5, 9]);
    expect(nearestChange(changes, null, 'before')).toBe(9);
    expect(nearestChange(changes, 9, 'before')).toBe(5);
    expect(nearestChange(changes, 4, 'before')).toBe(3);
    expect(nearestChange(changes, 3, 'before')).toBe(3);
    expect(nearestChange(changes, 4, 'after')).toBe(5);
    expect(nearestChange(changes, 9, 'after')).toBeNull();
  });
});
