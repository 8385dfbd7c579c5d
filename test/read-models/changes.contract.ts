import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentChangeSource, DocumentChanges } from '../../src/read-models/projector/document-changes.ts';

/** A projection `tallies` of a log. */
export interface ChangesWorld extends DocumentChangeSource {
  /** Counts 1 for each of these keys, in one commit that can be read when this resolves; and gives the positions. */
  count(...keys: number[]): Promise<readonly bigint[]>;
  /** The position that a document of the read model reflects. */
  positionOf(key: string): Promise<bigint | undefined>;
  /** Resolves when everything is told that was committed. */
  told(): Promise<void>;
  end(): Promise<void>;
}

/** What every adapter of `Changes` must do. */
export function changesContract(name: string, open: () => Promise<ChangesWorld>): void {
  describe(`changes: ${name}`, () => {
    let world: ChangesWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.end());

    /** As `key@position sum`; a document is lent, so that it is read at once. */
    function heard(): string[] {
      const texts: string[] = [];
      world.documentChanges.subscribe(({ projection, changes }: DocumentChanges) => {
        for (const { key, position, document } of changes) {
          texts.push(`${projection} ${key}@${position} ${(document as { sum: number }).sum}`);
        }
      });
      return texts;
    }

    it('tells each change, in order, with the document as it was committed', async () => {
      const texts = heard();
      const positions = [...(await world.count(1, 2)), ...(await world.count(1)), ...(await world.count(1))];
      await world.told();
      const [, two, three, four] = positions;
      expect([...new Set(texts)]).toEqual([
        `tallies 1@${positions[0]} 1`,
        `tallies 2@${two} 1`,
        `tallies 1@${three} 2`,
        `tallies 1@${four} 3`,
      ]);
    });

    it('tells what can be read already', async () => {
      const reads: Promise<void>[] = [];
      world.documentChanges.subscribe(({ changes }) => {
        for (const { key, position } of changes) {
          reads.push(world.positionOf(key).then((found) => expect(found).toBeGreaterThanOrEqual(position)));
        }
      });
      await world.count(1, 2);
      await world.count(2);
      await world.told();
      await Promise.all(reads);
      expect(reads.length).toBeGreaterThanOrEqual(3);
    });

    it('tells everybody, and nothing of what was before they came or after they left', async () => {
      await world.count(1);
      await world.told();
      const all = heard();
      const some: string[] = [];
      const subscription = world.documentChanges.subscribe(
        ({ changes }) => void some.push(...changes.map(({ key }) => key)),
      );
      await world.count(2);
      await world.told();
      subscription.unsubscribe();
      await world.count(3);
      await world.told();
      expect(new Set(some)).toEqual(new Set(['2']));
      expect(new Set(all.map((text) => text.slice(0, 'tallies 2'.length)))).toEqual(
        new Set(['tallies 2', 'tallies 3']),
      );
    });

    it('ends when the projections have stopped', async () => {
      let completed = 0;
      world.documentChanges.subscribe({ complete: () => void completed++ });
      await world.end();
      expect(completed).toBe(1);
    });
  });
}
