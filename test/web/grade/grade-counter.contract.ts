import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GRADE_WINDOW_MS, type GradeCounter } from '../../../src/web/grade/grade-counter.ts';

export interface OpenedGrades {
  readonly grades: GradeCounter;
  /** The same, as another process has it. */
  another(): Promise<GradeCounter>;
  close(): Promise<void>;
}

const NOW = Date.parse('2026-03-01T12:00:00Z');
const NONE = { counted: 0, firstAt: null };

/** What every adapter of `KeptGrades` must do. `open` gives a new, empty one that keeps `mostRows` at most. */
export function gradeCounterContract(name: string, open: (mostRows: number) => Promise<OpenedGrades>): void {
  describe(`grades that are kept: ${name}`, () => {
    let opened: OpenedGrades;
    let grades: GradeCounter;
    beforeEach(async () => {
      opened = await open(100);
      ({ grades } = opened);
    });
    afterEach(() => opened.close());

    it('count for each address by itself, in every process, for a day', async () => {
      const other = await opened.another();
      expect(await other.countOf('a', NOW)).toEqual(NONE);
      await grades.tryCount('a', 3, NOW);
      await other.tryCount('a', 3, NOW + 1);
      await grades.tryCount('b', 3, NOW + 2);
      for (const kept of [grades, other])
        expect(await kept.countOf('a', NOW + 2)).toEqual({ counted: 2, firstAt: NOW });
      expect(await grades.countOf('a', NOW + GRADE_WINDOW_MS)).toEqual({ counted: 1, firstAt: NOW + 1 });
      expect(await grades.countOf('a', NOW + GRADE_WINDOW_MS + 1)).toEqual(NONE);
    });

    it('are no more than they may be, however many are asked for at once, and one that is dropped counts no more', async () => {
      const processes = [grades, await opened.another()];
      const asked = Array.from({ length: 20 }, (_, i) => processes[i % 2]!.tryCount('a', 5, NOW));
      const taken = (await Promise.all(asked)).filter((grade) => grade !== undefined);
      expect(taken).toHaveLength(5);
      expect(new Set(taken).size).toBe(5);
      expect(await grades.tryCount('a', 5, NOW)).toBeUndefined();
      await grades.uncount(taken[0]!);
      expect(await grades.countOf('a', NOW)).toEqual({ counted: 4, firstAt: NOW });
      expect(await grades.tryCount('a', 5, NOW)).toBeGreaterThan(Math.max(...taken));
    });

    it('go when there are too many, the oldest first, whoever’s they are', async () => {
      for (let grade = 0; grade < 150; grade++) await grades.tryCount(`a${grade}`, 20, NOW + grade);
      const counted = async (grade: number) => (await grades.countOf(`a${grade}`, NOW + 150)).counted;
      expect([await counted(0), await counted(49), await counted(50), await counted(149)]).toEqual([0, 0, 1, 1]);
    });
  });
}
