import { setTimeout } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { type Compilable, type QueryRunner, runSteps } from '../sql/query-runner.ts';
import { isSerializationFailure, RegistryUnavailable } from './postgres-errors.ts';

const TRIES = 12;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;
/** A sequential scan, which is fastest for few rows, conflicts with all writers of the table. So use the indexes. */
const BEGIN = {
  serializable: 'begin isolation level serializable; set local enable_seqscan = off',
  'read committed': 'begin isolation level read committed',
} as const;

interface PostgresRunnerOptions {
  /** `read committed`: each step sees what others have committed by then, and must take the locks it needs. */
  readonly isolation?: keyof typeof BEGIN;
  /** From 0 up to, but not including, 1. */
  readonly random?: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Transactions are serializable by default. A transaction that was rolled back because of another one, as in a
 * deadlock, restarts from its first step. So the steps, and their side effects, must be repeatable.
 * @throws RegistryUnavailable also if every retry fails
 */
export function createPostgresRunner(pool: PostgresPool, options: PostgresRunnerOptions = {}): QueryRunner {
  const { isolation = 'serializable', random = Math.random, pause = (ms) => setTimeout(ms) } = options;

  async function using<Result>(work: (client: PostgresPoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  async function repeated<Result>(work: (client: PostgresPoolClient) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await using(work);
      } catch (error) {
        if (!isSerializationFailure(error)) throw error;
        if (tries === TRIES) throw new RegistryUnavailable('busy');
        await pause(random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries));
      }
    }
  }

  const within = <Result>(work: (client: PostgresPoolClient) => Promise<Result>): Promise<Result> =>
    repeated(async (client) => {
      try {
        // Sent together with the first step of the work.
        const [, result] = await Promise.all([client.query(BEGIN[isolation], []), work(client)]);
        await client.query('commit', []);
        return result;
      } catch (error) {
        // A lost connection is rolled back by the server. Keep the first error.
        await client.query('rollback', []).catch(() => {});
        throw error;
      }
    });

  return {
    all: (query) => repeated((client) => send(client, query)),
    read: (steps) => repeated((client) => runSteps(steps(), (query) => send(client, query))),
    write: (queries) =>
      within(async (client) => {
        await Promise.all(queries.map((query) => send(client, query)));
      }),
    transact: (steps) => within((client) => runSteps(steps(), (query) => send(client, query))),
  };
}

async function send<Row>(client: PostgresPoolClient, query: Compilable<Row>): Promise<readonly Row[]> {
  const { sql, parameters } = query.compile();
  return (await client.query<Row>(sql, parameters)).rows;
}
