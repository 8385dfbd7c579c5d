import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectorStore } from '../../../../src/sources/connectors/store/connector-store.ts';

export interface OpenedFeeds {
  readonly kept: ConnectorStore;
  /** The same, as another process has it. */
  another(): Promise<ConnectorStore>;
  close(): Promise<void>;
}

/** What every adapter of `KeptFeeds` must do. `open` gives a new, empty one. */
export function keptFeedsContract(name: string, open: () => Promise<OpenedFeeds>): void {
  describe(`what is kept of feeds: ${name}`, () => {
    let opened: OpenedFeeds;
    let kept: ConnectorStore;
    let other: ConnectorStore;
    beforeEach(async () => {
      opened = await open();
      ({ kept } = opened);
      other = await opened.another();
    });
    afterEach(() => opened.close());

    it('one owner holds the lease until it runs out or is given back', async () => {
      expect(await kept.claim('a', 1000, 15_000)).toBe(true);
      expect(await other.claim('b', 1000, 15_000)).toBe(false);
      expect(await kept.claim('a', 10_000, 15_000)).toBe(true);
      expect(await other.claim('b', 24_999, 15_000)).toBe(false);
      expect(await other.claim('b', 25_000, 15_000)).toBe(true);
      expect(await kept.claim('a', 26_000, 15_000)).toBe(false);
      await kept.release('a');
      expect(await kept.claim('a', 27_000, 15_000)).toBe(false);
      await other.release('b');
      expect(await kept.claim('a', 28_000, 15_000)).toBe(true);
    });

    it('of many who claim a lease that is free, or has run out, at the same moment one gets it', async () => {
      for (const now of [1000, 2000]) {
        const claims = Array.from({ length: 20 }, (_, i) => (i % 2 ? other : kept).claim(`${now} ${i}`, now, 1000));
        expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
      }
    });

    it('the budget of each source is kept', async () => {
      expect(await kept.readBudget('x')).toBeUndefined();
      const day = '2026-11-23';
      const budget = { day, used: 3.5, notBefore: 1_795_000_000_000, isOver: true, providerRemaining: 12.5 };
      await kept.writeBudget('x', { ...budget, used: 1, isOver: false, providerRemaining: null });
      await kept.writeBudget('x', budget);
      await kept.writeBudget('y', { ...budget, day: '2026-11-22' });
      expect(await other.readBudget('x')).toEqual(budget);
    });
  });
}
