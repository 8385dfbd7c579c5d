import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { odds } from '../projections/odds/odds.ts';
import { oddsMovements } from '../projections/odds/odds-movements.ts';
import { createFold } from '../src/domain/event-sourcing/document-fold.ts';
import { marketName } from '../src/domain/odds/bookmaker-prices.ts';
import { openSqliteLog } from '../src/event-log/sqlite/sqlite-log.ts';
import { createLogFeed } from '../src/event-log/subscription/log-feed.ts';
import { createProjectionRunner } from '../src/read-models/projector/projection-runner.ts';
import { openSqliteStore } from '../src/read-models/store/sqlite/sqlite-store.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { BOOKS, type OddsLog, writeOddsLog } from './odds-log.ts';
import { rebuildByCommand } from './rebuild-command.ts';
import { readAndParse } from './rows-floor.ts';

/** Days of 50 events each; and all events in turn, so that no document changes twice within thousands of records. */
const FULL = [
  { size: 100_000, of: '', shape: undefined },
  { size: 1_000_000, of: '', shape: undefined },
  { size: 1_000_000, of: ' of 5,000 events in turn', shape: { atOnce: 5000, recordsPerEvent: 200 } },
] as const;
const QUICK = [
  { size: 2000, of: '', shape: undefined },
  { size: 10_000, of: '', shape: undefined },
  { size: 10_000, of: ' of 500 events in turn', shape: { atOnce: 500, recordsPerEvent: 20 } },
] as const;
const BY_COMMAND = [
  { events: 200, rounds: 500 },
  { events: 5000, rounds: 200 },
] as const;
const QUICK_BY_COMMAND = [
  { events: 20, rounds: 50 },
  { events: 100, rounds: 50 },
] as const;
const CHOICES = [['odds'], ['odds-movements'], ['odds', 'odds-movements']] as const;
/** Documents that are compared with a fold of their streams alone, of each projection. */
const COMPARED = 40;

/** Records of the log that concern the projections, each counted once, per second until the builds have taken over. */
export const rebuild: Benchmark = {
  name: 'rebuild',
  summary:
    'odds and odds movements built anew, from logs of 100,000 and of 1,000,000 odds records, of few and many events',
  async run({ folder, quick, say }) {
    const logs = quick ? QUICK : FULL;
    const figures: Figure[] = [];
    const rates = new Map<string, number>();
    for (const [number, { size, of: events, shape }] of logs.entries()) {
      const file = join(folder, `${number}.db`);
      say(`writing a log of ${size} odds records${events}`);
      const log = openSqliteLog({ file });
      const written = await writeOddsLog(log, size, shape);
      await log.close();
      const { records, seconds } = readAndParse(file);
      if (records !== written.records) throw new Error(`the log holds ${records} records, not ${written.records}`);
      const floor = { what: 'rows read and parsed', value: records / seconds };
      for (const names of CHOICES) {
        const of = names.join(' and ');
        say(`rebuilding ${of} from ${written.records} records`);
        const rate = written.records / (await measure(file, names, written));
        const what = `${of}, ${size.toLocaleString('en')} records${events}`;
        figures.push({ what, value: rate, unit: 'records/s', floor, goal: atLeast('value', 60_000) });
        const small = rates.get(of);
        rates.set(of, small ?? rate);
        if (small === undefined) continue;
        const compared = { what: `at ${logs[0].size.toLocaleString('en')}`, value: small };
        figures.push({
          what: `${of}, large${events}`,
          value: rate,
          unit: 'records/s',
          floor: compared,
          goal: atLeast('ratio', 0.8),
        });
      }
    }
    say('all read models by the command');
    const data = join(folder, 'data');
    const [small, large] = quick ? QUICK_BY_COMMAND : BY_COMMAND;
    return [...figures, ...(await rebuildByCommand(data, small, large))];
  },
};

const atLeast = (of: 'value' | 'ratio', number: number) => ({ of, bound: 'at least', number }) as const;

/** Some read models, in this process. In seconds. */
async function measure(file: string, names: readonly string[], written: OddsLog): Promise<number> {
  const log = openSqliteLog({ file });
  const store = openSqliteStore({ file });
  const projections = [odds, oddsMovements];
  const runner = createProjectionRunner({ log, feed: createLogFeed(log), store, projections, now: Date.now });
  try {
    const begun = performance.now();
    const cpu = process.cpuUsage();
    const results = await runner.rebuild(names);
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    if (process.env['BENCH_CPU']) console.error(`wall ${seconds} cpu ${(user + system) / 1e6}`);
    for (const { name, records } of results) {
      const expected = name === 'odds' ? written.records : written.prices;
      if (records !== expected) throw new Error(`${name} folded ${records} records, not ${expected}`);
      if (name === 'odds') await checkOdds();
      else await checkMovements();
    }
    return seconds;
  } finally {
    await runner.stop();
    await store.close();
    await log.close();
  }

  async function checkOdds(): Promise<void> {
    const documents = await scanAll('odds');
    if (documents.size !== written.events) throw new Error(`${documents.size} documents of ${written.events} events`);
    for (const [key, { bookmaker, markets }] of written.last) {
      const eventId = key.slice(0, key.indexOf(':'));
      const shown = (documents.get(eventId) as any).books[bookmaker].markets;
      const last = Object.fromEntries(markets.map((market) => [marketName(market), market.outcomes]));
      if (!isDeepStrictEqual(shown, last)) throw new Error(`event ${eventId} shows other prices than the last ones`);
    }
    await compareSome(odds, documents);
  }

  async function checkMovements(): Promise<void> {
    const documents = await scanAll('odds-movements');
    const expected = written.events * BOOKS.length;
    if (documents.size !== expected) throw new Error(`${documents.size} documents of movements, not ${expected}`);
    await compareSome(oddsMovements, documents);
  }

  async function scanAll(name: string): Promise<Map<string, unknown>> {
    const build = (await store.activeGeneration(name))!;
    const documents = new Map<string, unknown>();
    for (let after: string | null = null; ; ) {
      const page = await store.scan(name, build, after, 500);
      for (const { key, document } of page) documents.set(key, document);
      if (page.length < 500) return documents;
      after = page.at(-1)!.key;
    }
  }

  async function compareSome(projection: typeof odds | typeof oddsMovements, documents: Map<string, unknown>) {
    const step = Math.ceil(documents.size / COMPARED);
    for (const key of [...documents.keys()].filter((_, index) => index % step === 0)) {
      const own = await log.readStreams(projection.streams!(key));
      const folded = new Map<string, unknown>();
      const fold = createFold<any>(projection);
      for (const record of own.flat()) fold.applyInto(folded, record);
      if (!isDeepStrictEqual(documents.get(key), JSON.parse(JSON.stringify(folded.get(key))))) {
        throw new Error(`${projection.name} ${key} differs from the fold of its streams`);
      }
    }
  }
}
