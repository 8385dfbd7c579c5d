import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatTime } from '../../../../src/domain/primitives/time.ts';
import type { LinePoint } from '../../../../src/web/live/answers/live-page-answers.ts';
import { addPoint, createSeries, seriesPoints } from '../../../../src/web/live/event/downsampled-series.ts';

/** Of more than 400 points every second one is left out, then again; the first and the last stay. */
function thinned(points: readonly LinePoint[]): readonly LinePoint[] {
  if (points.length <= 400) return points;
  return thinned(points.filter((_, index) => index % 2 === 0 || index === points.length - 1));
}

it('points that come one by one are thinned as all of them at once', () => {
  const counts = fc.oneof(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 20_000 }));
  fc.assert(
    fc.property(counts, fc.boolean(), (count, hasPoint) => {
      const line = createSeries();
      const all: LinePoint[] = [];
      for (let index = 0; index < count; index++) {
        const point = hasPoint ? index / 2 : null;
        addPoint(line, 1000 * index, 100 + index, point);
        all.push({ at: formatTime(1000 * index), price: 100 + index, point });
      }
      expect(seriesPoints(line)).toEqual(thinned(all));
      expect(line.times.length).toBeLessThanOrEqual(400);
    }),
    { numRuns: 60 },
  );
});
