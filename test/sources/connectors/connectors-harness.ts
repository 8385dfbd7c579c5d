import { setImmediate } from 'node:timers/promises';
import type { Intake } from '../../../src/ingest/intake/intake.ts';
import { type Connectors, openConnectors, type PolledProvider } from '../../../src/sources/connectors/connectors.ts';
import type { HttpExchange, ProviderClient } from '../../../src/sources/connectors/provider-client.ts';
import type { ConnectorStore } from '../../../src/sources/connectors/store/connector-store.ts';
import { createMemoryConnectorStore } from '../../../src/sources/connectors/store/memory-connector-store.ts';
import type { SharedFeedAges } from '../../../src/sources/connectors/store/shared-feed-ages.ts';
import type { LeagueView } from '../../../src/sources/provider-base/provider.ts';
import { createTimers, type Timers } from '../../api/streams/timers.ts';

export const NOON = Date.parse('2026-11-23T12:00:00Z');

/** An answer with status 200, unless told. */
export const exchanged = (body: unknown, more: Partial<HttpExchange> = {}): HttpExchange => ({
  sentHeaders: {},
  status: 200,
  headers: {},
  body: JSON.stringify(body),
  bytes: 100,
  arrivedAt: 0,
  durationMs: 5,
  ...more,
});

export interface Asked {
  readonly path: string;
  /** Milliseconds since the world began. */
  readonly at: number;
}

export interface WorldParts {
  readonly providers: readonly PolledProvider[];
  /** What a host says; undefined: nothing for ever, unless it is broken off. */
  readonly answer: (path: string, at: number) => HttpExchange | undefined;
  /** How long it takes; milliseconds. */
  readonly takes?: (path: string) => number;
  readonly pace?: number;
  readonly kept?: ConnectorStore;
  readonly sharedAges?: SharedFeedAges;
  readonly owner?: string;
  readonly random?: () => number;
  readonly views?: readonly LeagueView[];
  readonly leagues?: readonly string[];
  /** Looks at what the log knows of the leagues. */
  readonly refresh?: () => Promise<void>;
  readonly timers?: Timers;
  readonly intake?: Intake;
}

/** Connectors in a time that stands still until it is moved. */
export async function connectorsWorld(parts: WorldParts) {
  const timers = parts.timers ?? createTimers();
  const asked: Asked[] = [];
  const taken: unknown[] = [];
  const errors: unknown[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const client: ProviderClient = (url, _, signal) =>
    new Promise((resolve) => {
      const { pathname } = new URL(url);
      asked.push({ path: pathname, at: timers.now() });
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      const stop = () => end(undefined);
      const end = (answer: HttpExchange | undefined): void => {
        signal.removeEventListener('abort', stop);
        underWay--;
        resolve(answer && { ...answer, arrivedAt: NOON + timers.now() });
      };
      signal.addEventListener('abort', stop, { once: true });
      timers.setTimer(() => {
        const answer = signal.aborted ? undefined : parts.answer(pathname, timers.now());
        if (answer) end(answer);
      }, parts.takes?.(pathname) ?? 10);
    });
  const intake: Intake = parts.intake ?? {
    async accept(items) {
      taken.push(...items.map((item) => (item as { value: unknown }).value));
      return { outcomes: items.map(({ line }) => ({ line, status: 'accepted' as const })), positions: new Map() };
    },
  };
  const connectors: Connectors = await openConnectors({
    providers: parts.providers,
    leagues: parts.leagues ?? ['nba'],
    client,
    intake,
    connectorStore: parts.kept ?? createMemoryConnectorStore(),
    sharedAges: parts.sharedAges,
    owner: parts.owner ?? 'one',
    pace: parts.pace ?? 1,
    random: parts.random ?? (() => 0.5),
    views: () => ({
      eventIdOf: () => undefined,
      refOf: () => undefined,
      viewsFor: () => parts.views ?? [],
      refresh: parts.refresh ?? (async () => {}),
      close() {},
    }),
    now: () => NOON + timers.now(),
    steadyNow: timers.now,
    setTimer: timers.setTimer,
    onError: (error) => errors.push(error),
  });
  return {
    connectors,
    timers,
    asked,
    taken,
    errors,
    get mostUnderWay() {
      return mostUnderWay;
    },
    settle,
    /** Lets time pass, step by step, so that what follows from each step happens. */
    async pass(milliseconds: number, step = 250) {
      for (let left = milliseconds; left > 0; left -= step) {
        timers.advance(Math.min(step, left));
        await settle();
      }
    },
    state: () => connectors.health().map(({ state }) => state),
  };
}

/** What is under way in promises gets as far as it can. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await setImmediate();
}
