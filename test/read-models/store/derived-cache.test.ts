import { describe, expect, it } from 'vitest';
import { createDerivedCache } from '../../../src/read-models/store/derived-cache.ts';
import type { Derivation } from '../../../src/read-models/store/document-reader.ts';

const BYTES = 1000;

/** Lengths of texts, which count how often they are made. */
function counted() {
  const state = { made: 0 };
  const derivation: Derivation<string, number> = {
    name: 'length',
    derive(text) {
      state.made++;
      return text.length;
    },
    bytesOf: () => BYTES,
  };
  return { state, derivation };
}

describe('what is made of documents', () => {
  it('is made once as long as the document stays at its position, and anew after it has moved', () => {
    const { state, derivation } = counted();
    const cache = createDerivedCache(10 * BYTES);
    const ask = (document: string, position: bigint) =>
      cache.get('one', position, derivation, () => ({ document, position }));
    expect([ask('abc', 1n), ask('abc', 1n), state.made]).toEqual([3, 3, 1]);
    expect([ask('abcd', 2n), ask('abcd', 2n), state.made]).toEqual([4, 4, 2]);
  });

  it('is kept under the position of the document that it was made of', () => {
    const { state, derivation } = counted();
    const cache = createDerivedCache(10 * BYTES);
    const newer = () => ({ document: 'newer', position: 2n });
    // It has changed between the look at its position and the reading.
    cache.get('one', 1n, derivation, newer);
    expect([cache.get('one', 2n, derivation, newer), state.made]).toEqual([5, 1]);
  });

  it('takes no more than its bound, and loses what was asked for longest ago', () => {
    const { state, derivation } = counted();
    const cache = createDerivedCache(10 * BYTES);
    const ask = (place: string) => cache.get(place, 1n, derivation, () => ({ document: place, position: 1n }));
    for (let n = 0; n < 100; n++) {
      ask('often');
      ask(`place ${n}`);
    }
    expect(state.made).toBe(101);
    expect(cache.size.limit).toBe(10 * BYTES);
    expect(cache.size.bytes).toBeGreaterThan(5 * BYTES);
    expect(cache.size.bytes).toBeLessThanOrEqual(10 * BYTES);
  });

  it('is given though it is larger than the bound', () => {
    const { derivation } = counted();
    const cache = createDerivedCache(BYTES / 2);
    expect(cache.get('one', 1n, derivation, () => ({ document: 'abc', position: 1n }))).toBe(3);
    expect(cache.size.bytes).toBe(0);
  });
});
