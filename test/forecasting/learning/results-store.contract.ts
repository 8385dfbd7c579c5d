import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';

const upTo = (place: bigint, basis = 'one') => ({ basis, places: new Map([['all', place]]) });

/** What every keeper of results promises. */
export function keptResultsContract(
  name: string,
  open: () => Promise<{ readonly kept: ResultsStore; close(): Promise<void> }>,
): void {
  describe(`kept results: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let kept: ResultsStore;
    beforeEach(async () => {
      opened = await open();
      kept = opened.kept;
    });
    afterEach(() => opened.close());

    it('gives what was kept, page by page in order of events', async () => {
      await kept.save([
        [10, '["ten"]'],
        [2, '["two"]'],
        [7, '["seven"]'],
      ]);
      expect(await kept.readPage(0, 2)).toEqual([
        [2, '["two"]'],
        [7, '["seven"]'],
      ]);
      expect(await kept.readPage(7, 2)).toEqual([[10, '["ten"]']]);
    });

    it('keeps the later of an event, and nothing of one that has no results any more', async () => {
      await kept.save([
        [1, '"a"'],
        [2, '"b"'],
      ]);
      await kept.save([
        [1, '"later"'],
        [2, null],
        [3, null],
      ]);
      expect(await kept.readPage(0, 9)).toEqual([[1, '"later"']]);
    });

    it('is complete up to no place before that is told, and then up to the place told last', async () => {
      await kept.save([[1, '"a"']]);
      expect(await kept.readSavedUpTo()).toBeNull();
      await kept.save([], upTo(2n ** 60n));
      await kept.save([[2, '"b"']]);
      expect(await kept.readSavedUpTo()).toEqual(upTo(2n ** 60n));
      await kept.save([], upTo(2n ** 60n + 1n, 'other'));
      expect(await kept.readSavedUpTo()).toEqual(upTo(2n ** 60n + 1n, 'other'));
    });

    it('holds nothing after it was cleared', async () => {
      await kept.save([[1, '"a"']], upTo(5n));
      await kept.clear();
      expect([await kept.readSavedUpTo(), await kept.readPage(0, 9)]).toEqual([null, []]);
    });

    it('gives every text back as it was', async () => {
      const text = JSON.stringify(['"quoted"', 'é\u{1f3c0}', '\u0001', 'null']);
      await kept.save([[1, text]]);
      expect(await kept.readPage(0, 1)).toEqual([[1, text]]);
    });
  });
}
