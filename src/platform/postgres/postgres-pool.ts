import type { PostgresPool } from 'kysely';
import { Pool, types } from 'pg';
import { isTimeout, RegistryUnavailable, toRegistryError } from './postgres-errors.ts';

/** A call waits for a connection and for one answer: together less than 5 s, so that it can still answer itself. */
const CONNECT_MS = 1500;
const ANSWER_MS = 2500;
const CONNECTIONS = 10;
const SOONER_MS = 300;
const IDLE_MS = 30_000;
/** After the server was found unavailable, calls fail at once for this time, unless the server has answered since. */
const FAIL_FAST_MS = 1000;
const INT8 = 20;

interface PoolOptions {
  /** Maximum; default 10. */
  readonly connections?: number | undefined;
  /** The maximum time for an answer; default 2500. */
  readonly answerMs?: number;
  /** Called once for queries that are sent together. */
  readonly onRoundTrip?: (() => void) | undefined;
}

/**
 * Connections to a PostgreSQL server, opened when needed, and again after a loss. Every wait is bounded: a wait that
 * takes too long ends with `RegistryUnavailable`, and its connection is not used again.
 * @param url as in the environment variable
 */
export function createPool(url: string, options: PoolOptions = {}): PostgresPool {
  const { connections = CONNECTIONS, answerMs = ANSWER_MS, onRoundTrip } = options;
  const pool = new Pool({
    connectionString: toLibpqUrl(url),
    application_name: 'ledgerline',
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    // Queries are sent without waiting for earlier answers.
    pipeline: true,
    query_timeout: answerMs,
    // The server's own timeout is shorter: its error shows that the server is available.
    statement_timeout: Math.max(1, answerMs - SOONER_MS),
    idle_in_transaction_session_timeout: answerMs,
    types: { getTypeParser: ((type: number, format?: 'text') => parserOf(type, format)) as typeof types.getTypeParser },
  });
  // An idle connection was lost: the next call opens another one.
  pool.on('error', () => {});
  // A connection in use reports its loss through its query. Without this listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}));

  let recentFailure: { readonly error: RegistryUnavailable; readonly until: number } | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  function registerError(error: unknown): unknown {
    const known = toRegistryError(error);
    const now = performance.now();
    if (isTimeout(error)) answeredAt = now;
    // A server that answers other calls is only busy.
    if (known instanceof RegistryUnavailable && now - answeredAt > FAIL_FAST_MS) {
      recentFailure = { error: known, until: now + FAIL_FAST_MS };
    }
    return known;
  }

  async function connect() {
    if (recentFailure && performance.now() < recentFailure.until) throw recentFailure.error;
    const client = await pool.connect().catch((error: unknown) => {
      throw registerError(error);
    });
    let connectionError: RegistryUnavailable | undefined;
    let open = 0;
    return {
      /** The rows of one statement, or of several without parameters. */
      async query(text: string, values: readonly unknown[] = []): Promise<any> {
        // Fail at once, for example for the end of a transaction.
        if (connectionError) throw connectionError;
        if (open++ === 0) onRoundTrip?.();
        try {
          const result = await (values.length === 0 ? client.query(text) : client.query(text, values as unknown[]));
          answeredAt = performance.now();
          recentFailure = undefined;
          return result;
        } catch (error) {
          const known = registerError(error);
          if (known instanceof RegistryUnavailable) connectionError = known;
          throw known;
        } finally {
          open--;
        }
      },
      release: () => client.release(connectionError !== undefined),
    };
  }

  return { connect, end: () => pool.end() } as PostgresPool;
}

/** Converts 64-bit integers to numbers if they are safe integers, otherwise to text. */
function parserOf(type: number, format?: 'text') {
  return type === INT8 ? parseInt8 : types.getTypeParser(type, format);
}

function parseInt8(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** The driver treats `sslmode=require` as `verify-full`; other clients verify nothing with it. */
export function toLibpqUrl(text: string): string {
  const url = new URL(text);
  if (url.searchParams.has('sslmode')) url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}
