import { expect, it } from 'vitest';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import type { Ports } from '../../../src/server/composition/ports.ts';
import { HISTORY_KINDS, historyOf } from './histories.ts';
import { statsServer } from './stats-server.ts';

/** A dozen, however long the history is. */
const MOST = 12;

/** Counts the documents that are read from a store for answers. */
function counting() {
  const state = { read: 0 };
  const count = (found: unknown): number =>
    Array.isArray(found) ? found.reduce((sum: number, one) => sum + count(one), 0) : found === undefined ? 0 : 1;
  const READS = new Set(['get', 'getMany', 'getAcross', 'getDerived', 'find', 'findEach']);
  const around = (ports: Ports): Ports => {
    const store = new Proxy(ports.store, {
      get(target, name) {
        const member = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const bound = member.bind(target);
        if (!READS.has(String(name))) return bound;
        return async (...given: readonly unknown[]) => {
          const found = await bound(...given);
          // What is made of one document may be a list.
          state.read += name === 'getDerived' ? found.filter((one: unknown) => one !== undefined).length : count(found);
          return found;
        };
      },
    }) as ReadStore;
    return { ...ports, store };
  };
  return { state, around };
}

it.each(HISTORY_KINDS)('statistics of an event of %s are made of a dozen documents at most', async (kind) => {
  const { state, around } = counting();
  const server = await statsServer({ around });
  try {
    await server.hear(historyOf(kind, 7));
    const games = await server.games();
    expect(games.length).toBeGreaterThan(10);
    const counts: number[] = [];
    for (const { eventId } of games) {
      state.read = 0;
      const { available } = await server.ask(eventId);
      if (available) counts.push(state.read);
    }
    expect(counts.length).toBeGreaterThan(5);
    // The event, its box, both sides and the season are read in any case, where it is none of the first.
    expect(Math.max(...counts)).toBeGreaterThan(4);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MOST);
  } finally {
    await server.close();
  }
});
