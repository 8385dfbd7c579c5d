import { events } from '../../projections/events.ts';
import { players } from '../../projections/players.ts';
import { createLogFeed } from '../../src/event-log/log-feed.ts';
import { createForecastBook, type ForecastBookParts, type Forecasts } from '../../src/forecasting/forecast-book.ts';
import { BATCH } from '../../src/ingest/intake.ts';
import { createProjectionRunner } from '../../src/read-models/projector/projection-runner.ts';
import { runnerProgress } from '../../src/read-models/projector/runner-progress.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import type { Message } from '../api/spec/messages.ts';
import { newIntakeWorld } from '../ingest/intake-world.ts';

/** A log that is told of games, and books of forecasts that follow it one after another. */
export async function bookWorld() {
  const world = await newIntakeWorld();
  const { log } = world;
  const intake = await world.open();
  const feed = createLogFeed(log);
  const store = createMemoryStore();
  const runner = createProjectionRunner({ log, feed, store, projections: [events, players], now: () => 0 });
  await runner.start();
  const failures: unknown[] = [];

  function begin(parts: Partial<ForecastBookParts>) {
    /** The events whose streams it has read. */
    const read: string[] = [];
    const watched = {
      ...log,
      readStreams: (streams: readonly string[]) => {
        read.push(...streams.filter((stream) => stream.startsWith('event-')));
        return log.readStreams(streams);
      },
    };
    const book = createForecastBook({
      ...{ log: watched, feed, store },
      projected: (signal) => runnerProgress(runner, log).reachedEnd({ signal }),
      onError: (error) => void failures.push(error),
      ...parts,
    });
    book.start();
    return { book, read, reached: async () => book.reached(await log.head()) };
  }

  return {
    log,
    failures,
    async tell(messages: readonly Message[]) {
      for (let from = 0; from < messages.length; from += BATCH) {
        const batch = messages.slice(from, from + BATCH);
        await intake.accept(batch.map((value, i) => ({ line: i + 1, value })));
      }
      if ((await world.waiting()) > 0) throw new Error('messages wait for something that is not told');
    },
    begin,
    /** A book that has learnt all that the log holds. */
    async book(parts: Partial<ForecastBookParts> = {}) {
      const begun = begin(parts);
      await begun.reached();
      return begun;
    },
    async close() {
      await runner.stop();
      await store.close();
      await world.close();
    },
  };
}

/** What a book says of events 1 to `count` just before their starts, to the last digit; of those that it has forecasts for. */
export async function saidOf({ of }: Forecasts, sport: string, count: number): Promise<ReadonlyMap<number, unknown>> {
  const said = new Map<number, unknown>();
  for (let id = 1; id <= count; id++) {
    const forecasts = await of({ id, sport }, undefined);
    const forecast = forecasts?.before(forecasts.closesAt)?.forecast;
    if (forecast) said.set(id, [forecast.home, forecast.draw, forecast.total.probabilities[0]]);
  }
  return said;
}
