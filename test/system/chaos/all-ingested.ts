import { Client } from 'pg';
import { expect } from 'vitest';
import type { WholeCluster } from './whole-cluster.ts';

const LAG = /^ledgerline_consumer_lag_records\{[^}]*topic="ingest\.v1"[^}]*\} (\d+)/gm;

/** Longer than a group takes to give partitions to another process. */
const QUIET_MS = 8000;

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
  // A process that is to take over partitions of another one does not tell of them yet, so one look proves nothing.
  let since: number | undefined;
  const quietFor = async (): Promise<number> => {
    if ((await lags()) !== 0) since = undefined;
    else since ??= performance.now();
    return since === undefined ? 0 : performance.now() - since;
  };
  await expect.poll(quietFor, { timeout: 120_000, interval: 500 }).toBeGreaterThan(QUIET_MS);
}

/**
 * Resolves when no message is in the hands of a process that was killed: until its claim expires, what it waited for may
 * be known while it waits, and the same message told again is new.
 */
export async function waitUntilNoneIsAbandoned(cluster: WholeCluster): Promise<void> {
  const client = new Client({ connectionString: cluster.address('registry') });
  await client.connect();
  try {
    const claims = async () => (await client.query('select fingerprint from quarantine_claims')).rows;
    await expect.poll(claims, { timeout: 120_000, interval: 500 }).toEqual([]);
  } finally {
    await client.end();
  }
}
