import { expect } from 'vitest';
import type { WholeCluster } from './whole-cluster.ts';

const LAG = /^ledgerline_consumer_lag_records\{[^}]*topic="ingest\.v1"[^}]*\} (\d+)/gm;

/** Resolves when everything that was handed in by the topic was taken. */
export async function waitUntilTopicIngested(cluster: WholeCluster): Promise<void> {
  const lags = async (): Promise<number | undefined> => {
    const doors = cluster.state().processes.filter(({ role }) => role === 'ingest');
    const metrics = await Promise.all(
      doors.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    ).catch(() => []);
    const found = metrics.flatMap((text) => [...text.matchAll(LAG)].map(([, lag]) => Number(lag)));
    return found.length === 0 ? undefined : found.reduce((sum, lag) => sum + lag, 0);
  };
  await expect.poll(lags, { timeout: 60_000, interval: 500 }).toBe(0);
}
