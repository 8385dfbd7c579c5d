import { createClient } from '../../../src/api/client/index.ts';
import { BOOTSTRAP_KEY } from './whole-cluster.ts';

export interface Watched {
  readonly event: number;
  /** Of the first side, as they came. */
  readonly scores: readonly number[];
}

/** Follows the scores of an event over whatever ends its connections, until the signal. */
export function watchScores(
  url: string,
  event: number,
  signal: AbortSignal,
): Watched & { readonly over: Promise<void> } {
  const scores: number[] = [];
  const client = createClient({ baseUrl: url, apiKey: BOOTSTRAP_KEY, maxRetries: 100_000 });
  const over = (async () => {
    try {
      for await (const snapshot of client.streamScores({ id: event }, { signal })) {
        const score = snapshot.scores[0]?.score ?? null;
        if (score !== null) scores.push(Number(score));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  })();
  // It is waited for in the end.
  over.catch(() => {});
  return { event, scores, over };
}
