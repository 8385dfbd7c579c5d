import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyedSequentialQueue, createSequentialQueue } from '../../../src/platform/async/concurrency.ts';

describe('a sequential queue', () => {
  it('begins a piece of work when the one before is done or has failed', async () => {
    const oneAtATime = createSequentialQueue();
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await setImmediate();
      order.push(`${name} ends`);
      if (name === 'b') throw new Error('b fails');
      return name;
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => oneAtATime(work(name))));
    expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('a keyed sequential queue', () => {
  it('never runs two pieces of one key at once, in the order of the calls, whatever the keys and failures', async () => {
    const piece = fc.record({
      key: fc.nat({ max: 2 }),
      pause: fc.boolean(),
      rounds: fc.nat({ max: 3 }),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const { inTurn, settled } = createKeyedSequentialQueue<number>();
        const begun = new Map<number, number[]>();
        const busy = new Set<number>();
        const overlaps: number[] = [];
        const results: Promise<void>[] = [];
        for (const [index, { key, pause, rounds, fails }] of pieces.entries()) {
          // Some are asked for when others are over already.
          if (pause) await setImmediate();
          const result = inTurn(key, async () => {
            if (busy.has(key)) overlaps.push(index);
            busy.add(key);
            begun.set(key, [...(begun.get(key) ?? []), index]);
            for (let round = 0; round < rounds; round++) await setImmediate();
            busy.delete(key);
            if (fails) throw new Error('failed');
          });
          result.catch(() => {});
          results.push(result);
        }
        const ends = Promise.allSettled(results);
        await settled();
        expect(busy.size).toBe(0);
        expect(overlaps).toEqual([]);
        for (const [key, order] of begun) {
          expect(order).toEqual([...pieces.keys()].filter((index) => pieces[index]!.key === key));
        }
        expect([...begun.values()].flat()).toHaveLength(pieces.length);
        expect((await ends).map(({ status }) => status === 'rejected')).toEqual(pieces.map(({ fails }) => fails));
      }),
    );
  });

  it('does not hold up other keys', async () => {
    const { inTurn } = createKeyedSequentialQueue<number>();
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const held = inTurn(1, () => opened);
    expect(await inTurn(2, async () => 'done')).toBe('done');
    open();
    await held;
  });
});
