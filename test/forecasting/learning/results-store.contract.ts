import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';

const upTo = (place: bigint, basis = 'one') => ({ basis, places: new Map([['all', place]]) });

/** What every results store must do. */
export function resultsStoreContract(
  name: string,
  open: () => Promise<{ readonly kept: ResultsStore; close(): Promise<void> }>,
): void {
  describe(`results store: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let kept: ResultsStore;
    beforeEach(async () => {
      opened = await open();
      kept = opened.kept;
    });
    afterEach(() => opened.close());

    it('returns the stored results in pages, in order of events', async () => {
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

    it('keeps the later results of an event, and removes an event without results', async () => {
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

    it('is complete up to no position until one is saved, and then up to the last saved one', async () => {
      await kept.save([[1, '"a"']]);
      expect(await kept.readSavedUpTo()).toBeNull();
      await kept.save([], upTo(2n ** 60n));
      await kept.save([[2, '"b"']]);
      expect(await kept.readSavedUpTo()).toEqual(upTo(2n ** 60n));
      await kept.save([], upTo(2n ** 60n + 1n, 'other'));
      expect(await kept.readSavedUpTo()).toEqual(upTo(2n ** 60n + 1n, 'other'));
    });

    it('is empty after it was cleared', async () => {
      await kept.save([[1, '"a"']], upTo(5n));
      await kept.clear();
      expect([await kept.readSavedUpTo(), await kept.readPage(0, 9)]).toEqual([null, []]);
    });

    it('returns every text unchanged', async () => {
      const text = JSON.stringify(['"quoted"', 'é\u{1f3c0}', '\u0001', 'null']);
      await kept.save([[1, text]]);
      expect(await kept.readPage(0, 1)).toEqual([[1, text]]);
    });
  });
}
