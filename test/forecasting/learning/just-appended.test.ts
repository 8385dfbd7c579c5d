import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import type { RecordFeed } from '../../../src/event-log/subscription/record-feed.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { INTAKE_BATCH_SIZE } from '../../../src/ingest/intake/intake.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { silentLog } from '../../../src/server/composition/environment.ts';
import { openCore } from '../../../src/server/composition/open-core.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { LATER } from '../../ingest/feed-messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { messagesOf } from '../track-record/game-messages.ts';

const GAMES = 130;

/** While held, nothing reaches the projections. */
function heldFeed(feed: RecordFeed) {
  let going = Promise.resolve();
  let release = () => {};
  return {
    hold() {
      going = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    feed: {
      ...feed,
      subscribe(options) {
        const subscription = feed.subscribe(options);
        if (options.readers === 'all' || options.readers.group !== 'projections') return subscription;
        const next = async () => {
          const message = await subscription.next();
          await going;
          return message;
        };
        return {
          next,
          return: () => subscription.return(),
          [Symbol.asyncIterator]() {
            return this;
          },
        };
      },
    } satisfies RecordFeed,
  };
}

it('a record appended just before forecasts begin is learned, though read models do not show it yet', async () => {
  // Given a server whose read models show all that is in its log.
  const log = createMemoryLog({ now: () => LATER });
  const store = createMemoryStore();
  const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  const held = heldFeed(createLogFeed(log));
  const core = await openCore(
    { log, store, feed: held.feed, identities: await SqlIdentities.open(registry) },
    { now: () => LATER, random: () => 0, logger: silentLog },
  );
  await core.runner.start();
  await core.runner.caughtUp();
  // When results are appended, and forecasts begin before the results are projected.
  held.hold();
  const messages = messagesOf('nba', gamesOf('nba', 'nba', GAMES, numbersOf(1)));
  for (let from = 0; from < messages.length; from += INTAKE_BATCH_SIZE) {
    await core.intake.accept(
      messages.slice(from, from + INTAKE_BATCH_SIZE).map((value, i) => ({ line: i + 1, value })),
    );
  }
  core.forecasts.start();
  const learnt = core.forecasts.waitUntilLearned(await log.head());
  await Promise.race([learnt, setTimeout(200)]);
  held.release();
  await learnt;
  // Then these results count.
  expect(core.forecasts.hasForecasts('nba', 'nba')).toBe(true);
  await core.close();
  await registry.destroy();
});
