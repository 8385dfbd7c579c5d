import { players } from '../../../projections/directory/players.ts';
import { events } from '../../../projections/sports-events/events.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import type { ForecastReader, ForecastServiceParts } from '../../../src/forecasting/learning/forecast-reader.ts';
import { createForecastService } from '../../../src/forecasting/learning/forecast-service.ts';
import { INTAKE_BATCH_SIZE } from '../../../src/ingest/intake/intake.ts';
import { createProjectionRunner } from '../../../src/read-models/projector/projection-runner.ts';
import { progressOfRunner } from '../../../src/read-models/projector/runner-progress.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import type { Message } from '../../api/spec/messages.ts';
import { newIntakeWorld } from '../../ingest/intake-world.ts';

/** A log of games, and forecast services that follow it one after another. */
export async function createForecastServiceHarness() {
  const world = await newIntakeWorld();
  const { log } = world;
  const intake = await world.open();
  const feed = createLogFeed(log);
  const store = createMemoryStore();
  const runner = createProjectionRunner({ log, feed, store, projections: [events, players], now: () => 0 });
  await runner.start();
  const failures: unknown[] = [];

  function unstarted(parts: Partial<ForecastServiceParts>) {
    /** The events whose streams the service has read. */
    const read: string[] = [];
    const watched = {
      ...log,
      readStreams: (streams: readonly string[]) => {
        read.push(...streams.filter((stream) => stream.startsWith('event-')));
        return log.readStreams(streams);
      },
    };
    const service = createForecastService({
      log: watched,
      feed,
      store,
      waitUntilProjected: (signal) => progressOfRunner(runner, log).waitForEnd({ signal }),
      onError: (error) => void failures.push(error),
      ...parts,
    });
    return { book: service, read, reached: async () => service.waitUntilLearned(await log.head()) };
  }

  function begin(parts: Partial<ForecastServiceParts>) {
    const made = unstarted(parts);
    made.book.start();
    return made;
  }

  return {
    log,
    failures,
    async tell(messages: readonly Message[]) {
      for (let from = 0; from < messages.length; from += INTAKE_BATCH_SIZE) {
        const batch = messages.slice(from, from + INTAKE_BATCH_SIZE);
        await intake.accept(batch.map((value, i) => ({ line: i + 1, value })));
      }
      if ((await world.waiting()) > 0) throw new Error('messages wait for something that is not told');
    },
    unstarted,
    begin,
    /** A forecast service that has learned everything in the log. */
    async book(parts: Partial<ForecastServiceParts> = {}) {
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

/**
 * The forecasts of events 1 to `count` just before their starts, to the last digit; only of events that have forecasts.
 */
export async function saidOf(
  { forecastsOf }: ForecastReader,
  sport: string,
  count: number,
): Promise<ReadonlyMap<number, unknown>> {
  const said = new Map<number, unknown>();
  for (let id = 1; id <= count; id++) {
    const forecasts = await forecastsOf({ id, sport }, undefined);
    if (forecasts === 'learning') throw new Error('the league is being learned');
    const forecast = forecasts?.before(forecasts.closesAt)?.forecast;
    if (forecast) said.set(id, [forecast.home, forecast.draw, forecast.total.probabilities[0]]);
  }
  return said;
}
