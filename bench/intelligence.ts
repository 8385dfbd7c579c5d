import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogRecord } from '../src/domain/event-sourcing/record.ts';
import { DAY, HOUR } from '../src/domain/primitives/time.ts';
import { type DomainRecord, streams } from '../src/domain/streams/domain-events.ts';
import { createLogFeed } from '../src/event-log/subscription/log-feed.ts';
import { createForecastService } from '../src/forecasting/learning/forecast-service.ts';
import { FollowedBets } from '../src/forecasting/publishing/followed-bets.ts';
import { yieldToEventLoop } from '../src/platform/async/yield-to-event-loop.ts';
import { openForReading } from '../src/server/embedded/embedded-stores.ts';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { ingestFile } from './launched.ts';
import { liveLoad } from './live-load.ts';
import { percentile } from './percentile.ts';
import { startServer } from './server.ts';
import { takenIn } from './ticked-folder.ts';
import type { TickedEvents } from './ticks.ts';

/** `rounds`: odds records of each event that are there before the feed begins. */
const FULL = { events: 1000, rounds: 60, ticksASecond: 100, warmUpSeconds: 10, seconds: 60, looked: 200 };
const QUICK = { events: 50, rounds: 20, ticksASecond: 100, warmUpSeconds: 2, seconds: 5, looked: 20 };
/** Results of the events' league: with fewer nothing is forecast. */
const RESULTS = 120;

const LOOK_EVERY_MS = 100;
/** Recomputations that do not count. */
const WARM_UP = 20;

/** What is published of bets, beside a feed of prices. */
export const intelligence: Benchmark = {
  name: 'intelligence',
  summary: '100 price changes a second on 1,000 events to come: how far what is published is behind them',
  runs: 1,
  async run({ folder, quick, say }) {
    const { events, rounds, ticksASecond, warmUpSeconds, seconds, looked } = quick ? QUICK : FULL;
    const data = join(folder, 'data');
    const ticked = await takenIn(data, { name: 'live', events, rounds, now: Date.now() });
    const results = join(folder, 'results.ndjson');
    await writeFile(results, resultLines());
    await ingestFile(data, results, 2 * RESULTS);
    const server = await startServer({ folder: data });
    try {
      const ask = askOver(server.port, server.key);
      const behind = async (): Promise<number> => {
        const { projections } = (await ask('/v1/health')).json;
        return projections.find(({ name }: { name: string }) => name === 'intelligence').lag_seconds;
      };
      say('what was not published when the server began');
      const begun = performance.now();
      while ((await behind()) > 0) await pause();
      const first = (performance.now() - begun) / 1000;
      say(`${ticksASecond} price changes a second`);
      const lags: number[] = [];
      const looking = { isOver: false };
      const looks = (async () => {
        while (!looking.isOver) {
          lags.push(await behind());
          await pause();
        }
      })();
      const load = liveLoad(server, ticked);
      const times = await load.run({ warmUpSeconds, seconds, feed: ticksASecond });
      looking.isOver = true;
      await looks;
      const published = await publishedOf(data);
      if (published === 0) throw new Error('nothing was published');
      const changes = await changesOf(data, ticked, looked);
      return [
        { what: 'published at the start', value: events / first, unit: 'events/s' },
        { what: 'facts published in all', value: published, unit: 'facts' },
        ...[0.5, 0.99].map((share) => ({
          what: `behind the feed, p${share * 100}`,
          value: percentile(lags, share),
          unit: 's',
        })),
        { what: 'behind the feed, at most', value: Math.max(...lags), unit: 's', goal: atMost(3) },
        { what: '/healthz beside it, p99', value: percentile(times.health, 0.99), unit: 'ms' },
        { what: '/healthz beside it, the longest', value: Math.max(...times.health), unit: 'ms' },
        { what: 'one event after a price change, p50', value: percentile(changes, 0.5), unit: 'ms' },
        { what: 'one event after a price change, p99', value: percentile(changes, 0.99), unit: 'ms', goal: atMost(5) },
      ] satisfies Figure[];
    } finally {
      await server.stop();
    }
  },
};

/** Games of the year before, each of two sides of its own. */
function resultLines(): string {
  let lines = '';
  for (let game = 0; game < RESULTS; game++) {
    const start = Date.now() - (365 - game) * DAY;
    const of = { source: 'bench', ref: `past${game}` };
    const sides = ['home', 'away'].map((role) => ({ role, name: `Past ${role} ${game}` }));
    const schedule = { sport: 'nba', league: 'nba', starts_at: timeText(start), participants: sides };
    lines += `${JSON.stringify({ ...of, kind: 'schedule', at: timeText(start - DAY), ...schedule })}\n`;
    const scores = sides.map(({ role }, side) => ({ role, score: String(95 + ((game * 7 + side * 11) % 30)) }));
    const end = { status: 'final', result_type: 'regulation', scores };
    lines += `${JSON.stringify({ ...of, kind: 'score', at: timeText(start + HOUR), ...end })}\n`;
  }
  return lines;
}

const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();
const atMost = (number: number) => ({ of: 'value', bound: 'at most', number }) as const;
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

async function publishedOf(dataDir: string): Promise<number> {
  const { log, close } = await openForReading({ dataDir });
  let published = 0;
  for await (const page of log.readAllFrom(null)) {
    published += page.filter(({ type }) => type === 'IntelligencePublished').length;
  }
  await close();
  return published;
}

/** Milliseconds of each recomputation, in this process: of events whose last price has just come. */
async function changesOf(dataDir: string, { events }: TickedEvents, looked: number): Promise<number[]> {
  const { log, store, close } = await openForReading({ dataDir });
  const now = Date.now;
  const feed = createLogFeed(log);
  const forecasts = createForecastService({
    log,
    feed,
    store,
    waitUntilProjected: async () => {},
    onError: console.error,
  });
  forecasts.start();
  await forecasts.waitUntilLearned(await log.head());
  const times: number[] = [];
  const ids = new Set<number>();
  for await (const page of log.readAllFrom(null)) {
    for (const record of page as readonly DomainRecord[])
      if (record.type === 'PricesChanged') ids.add(record.data.eventId);
  }
  for (const [place, id] of [...ids].slice(0, Math.min(events, WARM_UP + looked)).entries()) {
    const odds = await log.readStream(streams.odds(id));
    const last = odds.at(-1) as LogRecord;
    const until = withoutLast(log, last);
    const bets = await FollowedBets.open(
      { log: until, forecasts, weightOf: (book) => (book === 'pinnacle' ? 3 : 0), now, rest: yieldToEventLoop },
      id,
      null,
      // Here nothing is appended: it only looks.
      async () => true,
    );
    if (!(bets instanceof FollowedBets)) continue;
    bets.takeUnpublished(now(), null);
    const began = performance.now();
    // Of two ticks under way at once the later may have come first: such an event is followed anew.
    if (!(await bets.addRecords([last as DomainRecord], yieldToEventLoop))) continue;
    bets.takeUnpublished(now(), null);
    if (place >= WARM_UP) times.push(performance.now() - began);
  }
  await forecasts.close();
  await close();
  if (times.length < looked / 2) throw new Error(`only ${times.length} events went on with their last price`);
  return times;
}

/** A log in which a record has not come yet. */
function withoutLast(log: Parameters<typeof FollowedBets.open>[0]['log'], { stream, revision }: LogRecord) {
  return {
    replacements: log.replacements,
    async readStream(name: string, options?: Parameters<typeof log.readStream>[1]) {
      const records = await log.readStream(name, options);
      return name === stream ? records.filter((record) => record.revision < revision) : records;
    },
  };
}
