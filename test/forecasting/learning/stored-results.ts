import type { ResultsStore, SavedEventResults } from '../../../src/forecasting/learning/results-store.ts';

/** All stored results, by league. */
export async function storedIn(results: ResultsStore): Promise<readonly SavedEventResults[]> {
  const query = { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY, limit: 100_000 };
  const pages = (await results.listLeagues()).map((league) => results.readPage({ ...query, league }));
  return (await Promise.all(pages)).flat();
}
