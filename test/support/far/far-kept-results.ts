import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';
import type { Far } from './far.ts';

/** Those of a database on another machine. */
export const farKeptResults = (inner: ResultsStore, far: Far): ResultsStore => ({
  readSavedUpTo: () => far.call('upTo', () => inner.readSavedUpTo()),
  readPage: (after, limit) => far.call('page', () => inner.readPage(after, limit)),
  save: (events, upTo) => far.call('keep', () => inner.save(events, upTo)),
  clear: () => far.call('clear', () => inner.clear()),
});
