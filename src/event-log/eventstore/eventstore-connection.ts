import { setTimeout as delay } from 'node:timers/promises';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { realTimer, withTimeout } from '../../platform/async/timer.ts';
import { EventLogUnavailable, errorTypeOf, isUnavailableError, toUnavailable } from './event-log-unavailable.ts';
import { connectClient, disposeClient } from './eventstore-client.ts';

export interface EventStoreConnectionOptions {
  /** `esdb://` or `kurrentdb://`, as the client takes it. */
  readonly url: string;
  /** Called for each request that is sent. */
  readonly onRoundTrip?: (() => void) | undefined;
  /** Called once for each cause for which the engine refuses everything until somebody acts. */
  readonly onWarning?: ((text: string) => void) | undefined;
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

/** A wait for the engine. */
export interface AnswerWatch {
  /** Something came from the engine. */
  heard(): void;
  /** Nothing has come within the time for one answer. */
  silent(): void;
  /** Whether another client has taken the place of the one that was asked. */
  isLetGo(): boolean;
}

export interface EventStoreConnection {
  /** The client of now: another one takes its place when nothing comes from the engine. */
  readonly client: EventStoreDBClient;
  readonly answerWithin: number;
  /**
   * Sends a request, and sends it again for a limited time while the engine is away.
   * @param options `isCounted: false`: the attempt counts its requests itself
   * @throws EventLogUnavailable; other errors as the client throws them
   */
  call<T>(what: string, attempt: Attempt<T>, options?: { readonly isCounted?: boolean }): Promise<T>;
  /** Counts a request that is sent without `call`. */
  countRequest(): void;
  /** Begins to wait for something that the client of now was asked for. */
  watch(): AnswerWatch;
  /** Wraps the error of a request that was sent without `call`, and tells a permanent refusal. */
  failed(what: string, error: unknown): EventLogUnavailable;
  /** Warns once in these words. */
  warn(text: string): void;
  /** Calls back when another client has taken the place of a silent one. */
  onRenewed(listener: () => void): void;
  /** Calls back when a request has failed because the engine was away. */
  onUnavailable(listener: () => void): void;
  close(): Promise<void>;
}

/** The pause between the first two attempts. It doubles each time. */
const FIRST_PAUSE_MS = 40;
const MAX_PAUSE_MS = 500;
const CLOSE_WITHIN_MS = 500;
/** Warnings that are remembered, so that each comes once. */
const MAX_WARNINGS = 100;

/**
 * A client stays with a node that hangs until its keepalive ends, which takes 20 s, and does not look for the new
 * leader before. So when nothing has come while one answer was waited for, the client is let go, and another one looks
 * for the leader anew.
 * @throws TypeError when the URL is not one of EventStoreDB. The message holds no part of the URL, which may hold a
 * password.
 */
export function openEventStoreConnection(options: EventStoreConnectionOptions): EventStoreConnection {
  const { url, onRoundTrip = () => {}, onWarning = () => {}, answerWithin = 1500, callWithin = 4000 } = options;
  let client = connectClient(url);
  let heardAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const renewed: (() => void)[] = [];
  const unavailable: (() => void)[] = [];
  const warned = new Set<string>();

  function renew(): void {
    const former = client;
    client = connectClient(url);
    void withDeadline(disposeClient(former), CLOSE_WITHIN_MS).catch(() => {});
    for (const listener of renewed) listener();
  }

  function watch(): AnswerWatch {
    const [asked, begunAt] = [client, performance.now()];
    return {
      heard() {
        if (asked === client) heardAt = performance.now();
      },
      silent() {
        if (asked === client && heardAt < begunAt && !isClosed) renew();
      },
      isLetGo: () => asked !== client,
    };
  }

  function warn(text: string): void {
    if (isClosed || warned.has(text) || warned.size >= MAX_WARNINGS) return;
    warned.add(text);
    onWarning(text);
  }

  function failed(what: string, error: unknown): EventLogUnavailable {
    const wrapped = toUnavailable(what, error);
    if (wrapped.isPermanent) warn(wrapped.message);
    else for (const listener of unavailable) listener();
    return wrapped;
  }

  async function once<T>(what: string, attempt: Attempt<T>, isRepeated: boolean): Promise<T> {
    const { heard, silent } = watch();
    try {
      const answer = await withDeadline(attempt(client, answerWithin, isRepeated), answerWithin);
      heard();
      return answer;
    } catch (error) {
      if (error instanceof DeadlineExceeded || errorTypeOf(error) === 'deadline-exceeded') silent();
      else heard();
      throw isUnavailableError(error) ? failed(what, error) : error;
    }
  }

  return {
    get client() {
      return client;
    },
    answerWithin,
    async call(what, attempt, { isCounted = true } = {}) {
      const latest = performance.now() + callWithin;
      let pause = FIRST_PAUSE_MS;
      for (let isRepeated = false; ; isRepeated = true) {
        if (isCounted) onRoundTrip();
        try {
          return await once(what, attempt, isRepeated);
        } catch (error) {
          if (!(error instanceof EventLogUnavailable) || error.isPermanent) throw error;
          if (performance.now() + pause + answerWithin > latest) throw error;
        }
        await delay(pause);
        pause = Math.min(2 * pause, MAX_PAUSE_MS);
      }
    },
    countRequest: onRoundTrip,
    watch,
    failed,
    warn,
    onRenewed: (listener) => void renewed.push(listener),
    onUnavailable: (listener) => void unavailable.push(listener),
    async close() {
      isClosed = true;
      // `dispose` waits for running requests, even if one never ends.
      await withDeadline(client.dispose(), CLOSE_WITHIN_MS).catch(() => {});
    },
  };
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
