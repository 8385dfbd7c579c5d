import { describe, expect, it } from 'vitest';
import type { FoldStore } from '../../src/read-models/store/fold-store.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const part = (place: number, text: string) => ({ place, note: `note ${place}`, content: bytes(text) });
const textsOf = async (store: FoldStore, name: string, places: readonly number[]) =>
  [...(await store.read(name, places))].map(([place, content]) => [place, Buffer.from(content).toString()] as const);

/** @param open a store, empty at first, of so many bytes */
export function foldStoreContract(name: string, open: (maxBytes?: number) => Promise<FoldStore>): void {
  describe(`stored folds: ${name}`, () => {
    it('given parts, then they are listed in the order of their places, and read by place', async () => {
      const store = await open();
      await store.write('one', '1', [part(1_790_000_000_000, 'late'), part(0, 'first')], []);
      await store.write('one', '1', [part(7, 'second')], []);
      await store.write('two', '1', [part(7, 'of another')], []);
      expect(await store.list('one', '1')).toEqual([
        { place: 0, note: 'note 0', bytes: 5 },
        { place: 7, note: 'note 7', bytes: 6 },
        { place: 1_790_000_000_000, note: 'note 1790000000000', bytes: 4 },
      ]);
      expect(new Map(await textsOf(store, 'one', [7, 8, 1_790_000_000_000]))).toEqual(
        new Map([
          [7, 'second'],
          [1_790_000_000_000, 'late'],
        ]),
      );
    });

    it('given a part at the place of another, then it stands there alone, and a removed one is gone', async () => {
      const store = await open();
      await store.write('one', '1', [part(1, 'old'), part(2, 'old')], []);
      await store.write('one', '1', [part(1, 'newer')], [2, 3]);
      expect(await store.list('one', '1')).toEqual([{ place: 1, note: 'note 1', bytes: 5 }]);
      expect(await textsOf(store, 'one', [1, 2])).toEqual([[1, 'newer']]);
    });

    it('given another version, then nothing of the former is listed, and the first write takes it away', async () => {
      const store = await open();
      await store.write('one', '1', [part(1, 'former'), part(2, 'former')], []);
      expect(await store.list('one', '2')).toEqual([]);
      await store.write('one', '2', [part(2, 'new')], []);
      expect(await store.list('one', '1')).toEqual([]);
      expect(await store.list('one', '2')).toEqual([{ place: 2, note: 'note 2', bytes: 3 }]);
      expect(await textsOf(store, 'one', [1, 2])).toEqual([[2, 'new']]);
    });

    it('given nothing, then nothing is listed or read', async () => {
      const store = await open();
      await store.write('one', '1', [], [4]);
      expect(await store.list('one', '1')).toEqual([]);
      expect(await textsOf(store, 'one', [4])).toEqual([]);
    });
  });
}

/** For stores that look at their size with every write. */
export function fullFoldStoreContract(name: string, open: (maxBytes: number) => Promise<FoldStore>): void {
  describe(`stored folds when there is no more room: ${name}`, () => {
    it('given a write that fills it, then what was written longest ago is gone as a whole', async () => {
      const store = await open(20);
      await store.write('old', '1', [part(1, '12345'), part(2, '12345')], []);
      await store.write('new', '1', [part(1, '12345')], []);
      await store.write('old', '1', [part(2, '123456')], []);
      await store.write('newest', '1', [part(1, '1234567')], []);
      expect(await store.list('new', '1')).toEqual([]);
      expect(await textsOf(store, 'new', [1])).toEqual([]);
      expect(await store.list('old', '1')).toHaveLength(2);
      expect(await store.list('newest', '1')).toHaveLength(1);
      await store.write('huge', '1', [part(1, '123456789012345678901')], []);
      for (const one of ['old', 'new', 'newest', 'huge']) expect(await store.list(one, '1')).toEqual([]);
    });
  });
}
