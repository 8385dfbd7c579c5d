import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { realTimer, withTimeout } from '../../platform/async/timer.ts';
import { EventLogUnavailable, isUnavailableError, toUnavailable } from './event-log-unavailable.ts';
import { normalizeEventStoreUrl } from './eventstore-url.ts';

export interface EventStoreConnectionOptions {
  /** `esdb://` or `kurrentdb://`, as the client takes it. */
  readonly url: string;
  /** Called for each request that is sent. */
  readonly onRoundTrip?: (() => void) | undefined;
  /**
   * How long to wait for one answer, in milliseconds; default 1500. A request without an answer is sent at least once
   * more.
   */
  readonly answerWithin?: number | undefined;
  /** How long a call may take with all its attempts, in milliseconds; default 4000. */
  readonly callWithin?: number | undefined;
}

/** One attempt. @param deadline milliseconds that the engine is given */
type Attempt<T> = (client: EventStoreDBClient, deadline: number, isRepeated: boolean) => Promise<T>;

export interface EventStoreConnection {
  readonly client: EventStoreDBClient;
  readonly answerWithin: number;
  /**
   * Sends a request, and sends it again for a limited time while the engine is away.
   * @throws EventLogUnavailable; other errors as the client throws them
   */
  call<T>(what: string, attempt: Attempt<T>): Promise<T>;
  /** Counts a request that is sent without `call`. */
  countRequest(): void;
  close(): Promise<void>;
}

/** The pause between the first two attempts. It doubles each time. */
const FIRST_PAUSE_MS = 40;
const MAX_PAUSE_MS = 500;
const CLOSE_WITHIN_MS = 500;

/**
 * @throws TypeError when the URL is not one of EventStoreDB. The message holds no part of the URL, which may hold a
 * password.
 */
export function openEventStoreConnection(options: EventStoreConnectionOptions): EventStoreConnection {
  const { url, onRoundTrip = () => {}, answerWithin = 1500, callWithin = 4000 } = options;
  const client = connect(url);

  async function once<T>(what: string, attempt: Attempt<T>, isRepeated: boolean): Promise<T> {
    onRoundTrip();
    try {
      return await withDeadline(attempt(client, answerWithin, isRepeated), answerWithin);
    } catch (error) {
      throw isUnavailableError(error) ? toUnavailable(what, error) : error;
    }
  }

  return {
    client,
    answerWithin,
    async call(what, attempt) {
      const latest = performance.now() + callWithin;
      let pause = FIRST_PAUSE_MS;
      for (let isRepeated = false; ; isRepeated = true) {
        try {
          return await once(what, attempt, isRepeated);
        } catch (error) {
          if (!(error instanceof EventLogUnavailable) || performance.now() + pause + answerWithin > latest) throw error;
        }
        await delay(pause);
        pause = Math.min(2 * pause, MAX_PAUSE_MS);
      }
    },
    countRequest: onRoundTrip,
    async close() {
      // `dispose` waits for running requests, even if one never ends.
      await withDeadline(client.dispose(), CLOSE_WITHIN_MS).catch(() => {});
    },
  };
}

function connect(url: string): EventStoreDBClient {
  const address = normalizeEventStoreUrl(url);
  let client: EventStoreDBClient;
  try {
    client = EventStoreDBClient.connectionString(address);
  } catch {
    // The client's message holds the URL with the password.
    throw new TypeError('not an address that the client of EventStoreDB understands');
  }
  // The client's batched appends share one table in the whole process: an error of one connection fails the appends of
  // all connections, and a late answer then ends the process. So each append is sent as a call of its own.
  Reflect.set(client, 'supports', async () => false);
  return client;
}

/** The engine has not answered in time. */
export class DeadlineExceeded extends Error {
  constructor(within: number) {
    super(`no answer within ${within} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** The client leaves the deadline of a call to the engine, and has no deadline at all while it looks for the engine. */
export const withDeadline = <T>(answer: Promise<T>, milliseconds: number): Promise<T> =>
  withTimeout(realTimer, milliseconds, answer, () => new DeadlineExceeded(milliseconds));
