import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResultsStore, SavedEventResults } from '../../../src/forecasting/learning/results-store.ts';
import { storedIn } from './stored-results.ts';

const upTo = (place: bigint, basis = 'one') => ({ basis, places: new Map([['all', place]]) });

const event = (id: number, lastAt: number, league = 'a'): SavedEventResults => ({
  id,
  learnt: `["${id} at ${lastAt}"]`,
  league,
  lastAt,
});

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

    it('returns the stored results of a league in pages, in order of time and then of ids', async () => {
      const [ten, two, seven, other] = [event(10, 5), event(2, 6), event(7, 5), event(3, 5, 'b')];
      await kept.save([ten, two, seven, other]);
      expect(await kept.listLeagues()).toEqual(['a', 'b']);
      const query = { league: 'a', from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY, limit: 2 };
      expect(await kept.readPage(query)).toEqual([seven, ten]);
      expect(await kept.readPage({ ...query, after: ten })).toEqual([two]);
      expect(await kept.readPage({ ...query, from: 6 })).toEqual([two]);
      expect(await kept.readIds({ ...query, before: 6, after: seven })).toEqual([{ id: 10, lastAt: 5 }]);
    });

    it('keeps the later results of an event, and removes an event without results', async () => {
      await kept.save([event(1, 1), event(2, 1)]);
      const none = { learnt: null, league: '', lastAt: 0 };
      await kept.save([event(1, 4, 'b'), { ...none, id: 2 }, { ...none, id: 3 }]);
      expect(await storedIn(kept)).toEqual([event(1, 4, 'b')]);
    });

    it('keeps the memory of a league until it is removed', async () => {
      const packed = new Uint8Array([0, 255, 7]);
      await kept.save([], undefined, new Map([['a', new Uint8Array([1])]]));
      await kept.save([event(1, 1)], upTo(5n), new Map([['a', packed]]));
      expect([...(await kept.readMemory('a'))!]).toEqual([...packed]);
      expect(await kept.readMemory('b')).toBeNull();
      await kept.save([], undefined, new Map([['a', null]]));
      expect([await kept.readMemory('a'), await storedIn(kept)]).toEqual([null, [event(1, 1)]]);
    });

    it('is complete up to no position until one is saved, and then up to the last saved one', async () => {
      await kept.save([event(1, 1)]);
      expect(await kept.readSavedUpTo()).toBeNull();
      await kept.save([], upTo(2n ** 60n));
      await kept.save([event(2, 1)]);
      expect(await kept.readSavedUpTo()).toEqual(upTo(2n ** 60n));
      await kept.save([], upTo(2n ** 60n + 1n, 'other'));
      expect(await kept.readSavedUpTo()).toEqual(upTo(2n ** 60n + 1n, 'other'));
    });

    it('is empty after it was cleared', async () => {
      await kept.save([event(1, 1)], upTo(5n), new Map([['a', new Uint8Array([1])]]));
      await kept.clear();
      expect([await kept.readSavedUpTo(), await storedIn(kept), await kept.readMemory('a')]).toEqual([null, [], null]);
    });

    it('returns every text unchanged', async () => {
      const text = JSON.stringify(['"quoted"', 'é\u{1f3c0}', '\u0001', 'null']);
      await kept.save([{ ...event(1, 1), learnt: text }]);
      expect(await storedIn(kept)).toEqual([{ ...event(1, 1), learnt: text }]);
    });
  });
}
