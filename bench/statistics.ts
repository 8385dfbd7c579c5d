import { join } from 'node:path';
import { odds } from '../projections/odds/odds.ts';
import { boxes } from '../projections/sports-events/boxes.ts';
import { games } from '../projections/sports-events/games.ts';
import { lineups } from '../projections/sports-events/lineups.ts';
import type { Projection } from '../src/domain/event-sourcing/projection.ts';
import { openSqliteLog } from '../src/event-log/sqlite/sqlite-log.ts';
import { createLogFeed } from '../src/event-log/subscription/log-feed.ts';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import { createProjectionRunner } from '../src/read-models/projector/projection-runner.ts';
import { openSqliteStore } from '../src/read-models/store/sqlite/sqlite-store.ts';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { seeded } from './event-history.ts';
import { ingestFile } from './launched.ts';
import { RECORDS_PER_EVENT, writeOddsLog } from './odds-log.ts';
import { percentile } from './percentile.ts';
import { gamesOf, messagesOf, type Seasons, writeSeasons } from './seasons.ts';
import { startServer } from './server.ts';

/** Odds records for each game in a log that has both. A real one has hundreds. */
const ODDS_PER_GAME = 10;
const FULL = { seasons: { count: 20, teams: 360, games: 32 }, odds: 100_000, asked: 2000, warmUp: 200 };
const QUICK = { seasons: { count: 2, teams: 20, games: 10 }, odds: 5000, asked: 50, warmUp: 5 };

/** Statistics of games of which each is asked for once, and the rates at which their read models are built anew. */
export const statistics: Benchmark = {
  name: 'statistics',
  summary: 'stats of events with 20 seasons behind them, each asked for the first time; their read models built anew',
  runs: 1,
  async run({ folder, quick, say }) {
    const { seasons, asked, warmUp, odds: prices } = quick ? QUICK : FULL;
    const data = join(folder, 'data');
    const file = join(folder, 'seasons.ndjson');
    say(`writing ${gamesOf(seasons)} games`);
    await writeSeasons(file, seasons);
    const seconds = await ingestFile(data, file, messagesOf(seasons));
    say(`asking for ${asked} of them`);
    const times = await ask(data, seasons, asked, warmUp);
    const figures: Figure[] = [
      { what: 'ingest into an empty folder', value: messagesOf(seasons) / seconds, unit: 'messages/s' },
      ...[0.5, 0.99].map((part) => ({
        what: `stats of an event of the last season, for the first time, p${part * 100}`,
        value: percentile(times, part),
        unit: 'ms',
        ...(part === 0.99 ? { goal: { of: 'value', bound: 'at most', number: 20 } as const } : {}),
      })),
    ];
    say('read models anew');
    const oddsFile = join(folder, 'odds.db');
    const log = openSqliteLog({ file: oddsFile });
    const written = await writeOddsLog(log, prices);
    await log.close();
    const floor = { what: 'odds', value: written.records / (await rebuildSeconds(oddsFile, [odds])) };
    figures.push({ what: 'odds built anew', value: floor.value, unit: 'records/s' });
    const all = [games, boxes, lineups];
    const anew = async (some: readonly Projection[], records: number, from: string, of: Figure['floor']) => {
      const value = records / (await rebuildSeconds(databaseFile(data), some));
      const what = `${some.map(({ name }) => name).join(', ')} built anew from a log of ${from}`;
      figures.push({
        what,
        value,
        unit: 'records/s',
        floor: of,
        goal: { of: 'ratio', bound: 'at least', number: 0.5 },
      });
    };
    const records = messagesOf(seasons);
    for (const some of [[games], [boxes], all]) await anew(some, records, 'games alone', floor);
    say('the same beside odds');
    const both = openSqliteLog({ file: databaseFile(data) });
    const days = { atOnce: 50, recordsPerEvent: RECORDS_PER_EVENT, after: gamesOf(seasons) };
    const added = await writeOddsLog(both, ODDS_PER_GAME * gamesOf(seasons), days);
    await both.close();
    const inBoth = records + added.records;
    const own = { what: 'odds from the same log', value: inBoth / (await rebuildSeconds(databaseFile(data), [odds])) };
    await anew(all, inBoth, 'games and odds', own);
    return figures;
  },
};

/** Milliseconds of each answer. */
async function ask(folder: string, seasons: Seasons, count: number, warmUp: number): Promise<number[]> {
  const server = await startServer({ folder });
  try {
    const request = askOver(server.port, server.key);
    const random = seeded(1);
    const ofSeason = gamesOf({ ...seasons, count: 1 });
    const last = gamesOf(seasons);
    const asked = new Set<number>();
    const times: number[] = [];
    while (asked.size < warmUp + Math.min(count, ofSeason - warmUp)) {
      // Ids are given in the order of arrival.
      const id = last - Math.floor(random() * ofSeason);
      if (asked.has(id)) continue;
      asked.add(id);
      const { ms, json } = await request(`/v1/events/${id}/stats`);
      if (!json.available) throw new Error(`no statistics of event ${id}`);
      if (asked.size > warmUp) times.push(ms);
    }
    return times;
  } finally {
    await server.stop();
  }
}

/** Builds read models anew, in this process. */
async function rebuildSeconds(file: string, projections: readonly Projection[]): Promise<number> {
  const log = openSqliteLog({ file });
  const store = openSqliteStore({ file });
  const runner = createProjectionRunner({ log, feed: createLogFeed(log), store, projections, now: Date.now });
  try {
    const began = performance.now();
    await runner.rebuild(projections.map(({ name }) => name));
    return (performance.now() - began) / 1000;
  } finally {
    await runner.stop();
    await store.close();
    await log.close();
  }
}
