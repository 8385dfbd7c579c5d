import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SharedFeedAge, SharedFeedAges } from '../../../../src/sources/connectors/store/shared-feed-ages.ts';

export interface OpenedFeedAges {
  readonly ages: SharedFeedAges;
  /** The same, as another process has it. */
  readonly another: SharedFeedAges;
  close(): Promise<void>;
}

const age = (league: string, answeredAt: number, downFrom: number | null = answeredAt + 45_000): SharedFeedAge => ({
  league,
  answeredAt,
  downFrom,
});

/** What every adapter of `SharedFeedAges` must do. `open` gives a new, empty one. */
export function sharedFeedAgesContract(name: string, open: () => Promise<OpenedFeedAges>): void {
  describe(`the ages of feeds between processes: ${name}`, () => {
    let opened: OpenedFeedAges;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it('are none at first, and what was written last', async () => {
      const { ages, another } = opened;
      expect(await another.read()).toEqual([]);
      await ages.write([age('nba', 1_795_000_000_000), age('nfl', 2000)]);
      await ages.write([age('nba', 1_795_000_000_500), age('mlb', 3000, null)]);
      expect(await another.read()).toEqual([age('nba', 1_795_000_000_500), age('mlb', 3000, null)]);
      await another.write([]);
      expect(await ages.read()).toEqual([]);
    });

    it('are told to all who follow, until they end that', async () => {
      const { ages, another } = opened;
      const told: (readonly SharedFeedAge[])[] = [];
      const end = another.follow((all) => told.push(all));
      await ages.write([age('nba', 1000)]);
      await expect.poll(() => told.at(-1)).toEqual([age('nba', 1000)]);
      // More than a notice holds.
      const many = Array.from({ length: 300 }, (_, index) => age(`league_${index}`, index));
      await ages.write(many);
      await expect.poll(() => told.at(-1)).toEqual(many);
      end();
      const count = told.length;
      await ages.write([]);
      expect(await another.read()).toEqual([]);
      expect(told.length).toBe(count);
    });
  });
}
