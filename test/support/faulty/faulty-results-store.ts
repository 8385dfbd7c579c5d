import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** Those of a database on another machine. */
export const createFaultyResultsStore = (inner: ResultsStore, far: FaultyNetwork): ResultsStore => ({
  readSavedUpTo: () => far.call('upTo', () => inner.readSavedUpTo()),
  listLeagues: () => far.call('leagues', () => inner.listLeagues()),
  readPage: (query) => far.call('page', () => inner.readPage(query)),
  readIds: (query) => far.call('ids', () => inner.readIds(query)),
  readMemory: (league) => far.call('memory', () => inner.readMemory(league)),
  save: (events, upTo, memories) => far.call('keep', () => inner.save(events, upTo, memories)),
  clear: () => far.call('clear', () => inner.clear()),
});
