import type { PostgresPool } from 'kysely';
import { Pool, types } from 'pg';
import { isTimeout, RegistryUnavailable, toRegistryError } from './postgres-errors.ts';

/** A call waits for a connection and for one answer at most, and has something to say itself: under 5 s together. */
const CONNECT_MS = 1500;
const ANSWER_MS = 2500;
const CONNECTIONS = 10;
const SOONER_MS = 300;
const IDLE_MS = 30_000;
/** So long nobody waits again for a server that has just been found away, and answered nobody since. */
const FAIL_FAST_MS = 1000;
const INT8 = 20;

interface PoolOptions {
  /** At most; default 10. */
  readonly connections?: number | undefined;
  /** How long an answer may take; default 2500. */
  readonly answerMs?: number;
  /** Called once for what is sent together. */
  readonly onRoundTrip?: (() => void) | undefined;
}

/**
 * Connections to a PostgreSQL server, made when they are needed, and again after they are lost. No wait is without a
 * bound: what takes too long is `RegistryAway`, and its connection is not used again.
 * @param url as the variable of the environment has it
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
    // What is sent at once does not wait for the answers before it.
    pipeline: true,
    query_timeout: answerMs,
    // The server gives up too, and first: it says so, and is known to be there.
    statement_timeout: Math.max(1, answerMs - SOONER_MS),
    idle_in_transaction_session_timeout: answerMs,
    types: { getTypeParser: ((type: number, format?: 'text') => parserOf(type, format)) as typeof types.getTypeParser },
  });
  // Of connections that nobody uses at the moment: the next who wants one makes it.
  pool.on('error', () => {});
  // Who uses one hears of it from its query. Without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}));

  let foundAway: { readonly error: RegistryUnavailable; readonly until: number } | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  function told(error: unknown): unknown {
    const known = toRegistryError(error);
    const now = performance.now();
    if (isTimeout(error)) answeredAt = now;
    // One that answers others is busy.
    if (known instanceof RegistryUnavailable && now - answeredAt > FAIL_FAST_MS) {
      foundAway = { error: known, until: now + FAIL_FAST_MS };
    }
    return known;
  }

  async function connect() {
    if (foundAway && performance.now() < foundAway.until) throw foundAway.error;
    const client = await pool.connect().catch((error: unknown) => {
      throw told(error);
    });
    let away: RegistryUnavailable | undefined;
    let open = 0;
    return {
      /** Rows of one statement, or of several without parameters. */
      async query(text: string, values: readonly unknown[] = []): Promise<any> {
        // Such as the end of a transaction: to wait for it once more helps nobody.
        if (away) throw away;
        if (open++ === 0) onRoundTrip?.();
        try {
          const result = await (values.length === 0 ? client.query(text) : client.query(text, values as unknown[]));
          answeredAt = performance.now();
          foundAway = undefined;
          return result;
        } catch (error) {
          const known = told(error);
          if (known instanceof RegistryUnavailable) away = known;
          throw known;
        } finally {
          open--;
        }
      },
      release: () => client.release(away !== undefined),
    };
  }

  return { connect, end: () => pool.end() } as PostgresPool;
}

/** Integers of 64 bits as numbers where a number can hold them, and as texts elsewhere. */
function parserOf(type: number, format?: 'text') {
  return type === INT8 ? parseInt8 : types.getTypeParser(type, format);
}

function parseInt8(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** The driver takes `sslmode=require` for `verify-full`; everybody else means by it that nothing is verified. */
export function toLibpqUrl(text: string): string {
  const url = new URL(text);
  if (url.searchParams.has('sslmode')) url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}
