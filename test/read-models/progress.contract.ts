import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ProjectionProgress,
  waitForOwnAppend,
} from '../../src/read-models/projector/progress/projection-progress.ts';

/** A log of two partitions, and projections of it that stand still until they are let on. */
export interface ProgressWorld {
  readonly progress: ProjectionProgress;
  /** Gives the record's position. */
  append(partition: 'one' | 'two'): Promise<bigint>;
  /** Projects everything that stands in the log. */
  project(): Promise<void>;
  close(): Promise<void>;
}

/** What every adapter of `Progress` must do. */
export function progressContract(name: string, open: () => Promise<ProgressWorld>): void {
  describe(`progress: ${name}`, () => {
    let world: ProgressWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    /** Whether it is over by now, however far away. */
    async function isOver(waiting: Promise<void>): Promise<boolean> {
      let over = false;
      waiting.then(
        () => {
          over = true;
        },
        () => {},
      );
      for (let turns = 0; turns < 20; turns++) await setImmediate();
      return over;
    }

    it('waits until a place is projected', async () => {
      const position = await world.append('one');
      const waiting = world.progress.waitFor(new Map([['one', position]]));
      expect(await isOver(waiting)).toBe(false);
      await world.project();
      await waiting;
      await world.progress.waitFor(new Map([['one', position]]));
    });

    it('waits for all places', async () => {
      const one = await world.append('one');
      await world.project();
      const two = await world.append('two');
      const waiting = world.progress.waitFor(
        new Map([
          ['two', two],
          ['one', one],
        ]),
      );
      expect(await isOver(waiting)).toBe(false);
      await world.project();
      await waiting;
    });

    it('does not wait for what others append', async () => {
      const own = await world.append('one');
      await world.project();
      await world.append('one');
      await world.append('two');
      await world.progress.waitFor(new Map([['one', own]]));
      await world.progress.waitFor(new Map());
    });

    it('waits for all that stands in the log when it is asked to', async () => {
      await world.progress.waitForEnd();
      await world.append('one');
      await world.append('two');
      const waiting = world.progress.waitForEnd();
      expect(await isOver(waiting)).toBe(false);
      await world.project();
      await world.append('one');
      await waiting;
    });

    it('waits for somebody else, where all was known already', async () => {
      const own = await world.append('one');
      await world.project();
      await world.append('one');
      await waitForOwnAppend(world.progress, new Map([['one', own]]));
      const waiting = waitForOwnAppend(world.progress, new Map());
      expect(await isOver(waiting)).toBe(false);
      await world.project();
      await waiting;
    });

    it('waits no longer than allowed, and until its caller gives up', async () => {
      const places = new Map([['one', await world.append('one')]]);
      await expect(world.progress.waitFor(places, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'wait_timeout' });
      const signal = AbortSignal.abort(new Error('the client has gone'));
      await expect(world.progress.waitFor(places, { signal })).rejects.toThrow('the client has gone');
      const giveUp = new AbortController();
      const waiting = world.progress.waitForEnd({ signal: giveUp.signal });
      giveUp.abort(new Error('the client has gone'));
      await expect(waiting).rejects.toThrow('the client has gone');
      await world.project();
    });
  });
}
