import type { KeptResults } from '../../../src/forecasting/kept-results.ts';
import type { Far } from './far.ts';

/** Those of a database on another machine. */
export const farKeptResults = (inner: KeptResults, far: Far): KeptResults => ({
  upTo: () => far.call('upTo', () => inner.upTo()),
  page: (after, limit) => far.call('page', () => inner.page(after, limit)),
  keep: (events, upTo) => far.call('keep', () => inner.keep(events, upTo)),
  clear: () => far.call('clear', () => inner.clear()),
});
