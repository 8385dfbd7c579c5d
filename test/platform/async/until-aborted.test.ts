import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { untilAborted } from '../../../src/platform/async/until-aborted.ts';

async function* counted(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n++) yield n;
}

it('yields all pieces', async () => {
  const taken: number[] = [];
  for await (const n of untilAborted(counted(5), new AbortController().signal)) taken.push(n);
  expect(taken).toEqual([0, 1, 2, 3, 4]);
});

it('throws the reason while it waits for input, and if it was aborted before', async () => {
  async function* silent(): AsyncGenerator<number> {
    yield 1;
    await new Promise(() => {});
  }
  const controller = new AbortController();
  const pieces = untilAborted(silent(), controller.signal);
  expect(await pieces.next()).toEqual({ done: false, value: 1 });
  const waiting = pieces.next();
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
  await expect(untilAborted(counted(5), controller.signal).next()).rejects.toThrow('stop');
});

it('passes on what the input throws', async () => {
  async function* broken(): AsyncGenerator<number> {
    yield 1;
    throw new Error('broken');
  }
  const pieces = untilAborted(broken(), new AbortController().signal);
  await pieces.next();
  await expect(pieces.next()).rejects.toThrow('broken');
});

it('keeps no yielded piece in memory, however long the input is', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const given: WeakRef<object>[] = [];
  async function* objects(): AsyncGenerator<object> {
    for (;;) {
      const one = { n: given.length };
      given.push(new WeakRef(one));
      yield one;
    }
  }
  const { signal } = new AbortController();
  const pieces = untilAborted(objects(), signal);
  for (let n = 0; n < 100; n++) await pieces.next();
  // Weak references hold until the turn of the event loop is over.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(given.filter((one) => one.deref() !== undefined).length).toBeLessThan(5);
  expect(signal.aborted).toBe(false);
});
