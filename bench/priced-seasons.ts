import { MINUTE } from '../src/domain/primitives/time.ts';
import { partitions, streams } from '../src/domain/streams/domain-events.ts';
import type { StreamAppend } from '../src/event-log/port/event-log.ts';
import { openSqliteLog } from '../src/event-log/sqlite/sqlite-log.ts';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import { ingestFile } from './launched.ts';
import { priceEvents } from './odds-log.ts';
import { messagesOf, type Seasons, writeSeasons } from './seasons.ts';

/** Events whose prices are appended together. */
const AT_ONCE = 20;

/** Seasons with their results, of which each game has prices too. */
export interface PricedSeasons {
  readonly seasons: Seasons;
  /** Prices of each game. */
  readonly prices: number;
}

/**
 * Fills an empty folder: the seasons by the `ingest` command, then the prices as the deciders would record them. No read
 * model has the prices before the next start.
 * @returns the number of records in the log
 */
export async function writePricedSeasons(folder: string, { seasons, prices }: PricedSeasons): Promise<number> {
  const file = `${folder}.ndjson`;
  await writeSeasons(file, seasons);
  await ingestFile(folder, file, messagesOf(seasons));
  const log = openSqliteLog({ file: databaseFile(folder) });
  try {
    const games = new Map<number, any>();
    for await (const page of log.readAllFrom(null, { batch: 1000 })) {
      for (const { type, data } of page) if (type === 'EventScheduled') games.set((data as any).eventId, data);
    }
    const line = priceEvents(prices);
    let appends: StreamAppend[] = [];
    let left = games.size;
    for (const [eventId, { content, sport, league, origin }] of games) {
      const from = Date.parse(content.starts_at) - (prices + 1) * MINUTE;
      const events = line.map((event, n) => ({
        ...event,
        data: {
          ...(event.data as object),
          eventId,
          sport,
          league,
          origin,
          at: new Date(from + n * MINUTE).toISOString(),
        },
        meta: { partition: partitions.event(eventId) },
      }));
      appends.push({ stream: streams.odds(eventId), events, expected: 'any' } as StreamAppend);
      left--;
      if (appends.length < AT_ONCE && left > 0) continue;
      await log.appendAll(appends);
      appends = [];
    }
    return Number(await log.head());
  } finally {
    await log.close();
  }
}
