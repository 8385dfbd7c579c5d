import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { realTimer, withTimeout } from '../../platform/async/timer.ts';
import { EventLogUnavailable, isUnavailableError, toUnavailable } from './event-log-unavailable.ts';
import { normalizeEventStoreUrl } from './eventstore-url.ts';

export interface EventStoreConnectionOptions {
  /** `esdb://` or `kurrentdb://`, as the client has it. */
  readonly url: string;
  /** Called for each request that goes out. */
  readonly onRoundTrip?: (() => void) | undefined;
  /** How long one answer is waited for, in milliseconds; default 1500. Whatever has no answer is asked once more at least. */
  readonly answerWithin?: number | undefined;
  /** How long a call takes with all its repetitions, in milliseconds; default 4000. */
  readonly callWithin?: number | undefined;
}

/** One attempt. @param deadline milliseconds that the engine is given */
type Attempt<T> = (client: EventStoreDBClient, deadline: number, isRepeated: boolean) => Promise<T>;

export interface EventStoreConnection {
  readonly client: EventStoreDBClient;
  readonly answerWithin: number;
  /**
   * Asks, and asks again while the engine is away, in bounds.
   * @throws EventLogAway; other errors as the client has them
   */
  call<T>(what: string, attempt: Attempt<T>): Promise<T>;
  /** Counts a request that goes out beside `call`. */
  countRequest(): void;
  close(): Promise<void>;
}

/** Between two attempts at first; doubled each time. */
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 500;
const CLOSE_WITHIN_MS = 500;

/** @throws TypeError when the URL is none of EventStoreDB; it names no part of it, for it may hold a password */
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
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    },
    countRequest: onRoundTrip,
    async close() {
      // It waits for what is under way, also where that never ends.
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
    // Its message holds the address, with the password.
    throw new TypeError('not an address that the client of EventStoreDB understands');
  }
  // The client's batches of appends share one table in the whole process: an error of one connection fails the appends
  // of all others, and an answer that comes after that ends the process. So each append goes as a call of its own.
  Reflect.set(client, 'supports', async () => false);
  return client;
}

/** Whoever was asked has not answered in time. */
export class DeadlineExceeded extends Error {
  constructor(within: number) {
    super(`no answer within ${within} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** The deadline of a call is the engine's affair; nor does the client have one while it looks for the engine. */
export const withDeadline = <T>(answer: Promise<T>, milliseconds: number): Promise<T> =>
  withTimeout(realTimer, milliseconds, answer, () => new DeadlineExceeded(milliseconds));
