import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PointSegment, splitJoined } from '../../../src/server/backup/backup-folder.ts';
import { runsOfPoints } from '../../../src/server/backup/backup-retention.ts';
import { cases } from '../../support/cases.ts';

/** Segments as a backup gets them: with gaps where some were lost, bases, joined ones, and times that go back. */
const segments = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
      length: fc.constantFrom(1, 1, 1, 1, 1, 20, 400),
      kind: fc.constantFrom(...Array.from({ length: 30 }, () => 'next'), 'base'),
      passes: fc.constantFrom(...Array.from({ length: 30 }, () => 4000), -60_000),
      records: fc.nat(3),
    }),
    { minLength: 16, maxLength: 120 },
  )
  .map((steps) => {
    let place = { number: 0, takenAt: 1_000_000, head: 0 };
    return steps.map(({ gap, length, kind, passes, records }): PointSegment => {
      const from = place.number + 1 + gap;
      const to = kind === 'base' ? from : from + length - 1;
      const first = { number: from, takenAt: place.takenAt + passes, head: place.head + records };
      place = { number: to, takenAt: first.takenAt + (to - from), head: first.head };
      return { name: `${from}-${to}`, from, to, first, last: place, isBase: kind === 'base' };
    });
  });

describe('segments of points that are joined', () => {
  it('follow each other in number, time and head, are no bases, and are enough and not too many', () => {
    let joined = 0;
    fc.assert(
      fc.property(segments, (given) => {
        for (const run of runsOfPoints(given)) {
          joined++;
          expect(run.length).toBeGreaterThanOrEqual(16);
          expect(run.at(-1)!.to - run[0]!.from).toBeLessThan(1000);
          expect(run.some(({ isBase }) => isBase)).toBe(false);
          for (const [index, one] of run.slice(1).entries()) {
            expect(one.from).toBe(run[index]!.to + 1);
            expect(one.first.takenAt).toBeGreaterThanOrEqual(run[index]!.last.takenAt);
            expect(one.first.head).toBeGreaterThanOrEqual(run[index]!.last.head);
          }
        }
      }),
      { numRuns: cases(1000, 300) },
    );
    expect(joined).toBeGreaterThan(0);
  });

  it('are those beside which what they have become stands, and no others', () => {
    fc.assert(
      fc.property(segments, (given) => {
        const become = runsOfPoints(given).map((run) => ({
          ...run[0]!,
          name: 'joined',
          to: run.at(-1)!.to,
          last: run.at(-1)!.last,
        }));
        const all = [...given, ...become].sort((one, other) => one.from - other.from || other.to - one.to);
        const { own, joined } = splitJoined(all);

        expect(joined).toEqual(runsOfPoints(given).flat());
        expect(own.filter(({ name }) => name === 'joined')).toHaveLength(become.length);
        expect(own.length + joined.length).toBe(all.length);
      }),
      { numRuns: cases(500, 100) },
    );
  });
});
