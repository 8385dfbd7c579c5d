import type { KeptResults } from './kept-results.ts';

/** Of a process that has nowhere to keep them: each start reads the results of all events in the log. */
export const noKeptResults: KeptResults = {
  upTo: async () => null,
  page: async () => [],
  keep: async () => {},
  clear: async () => {},
};
