import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** Those of a database on another machine. */
export const createFaultyResultsStore = (inner: ResultsStore, far: FaultyNetwork): ResultsStore => ({
  readSavedUpTo: () => far.call('upTo', () => inner.readSavedUpTo()),
  readPage: (after, limit) => far.call('page', () => inner.readPage(after, limit)),
  save: (events, upTo) => far.call('keep', () => inner.save(events, upTo)),
  clear: () => far.call('clear', () => inner.clear()),
});
