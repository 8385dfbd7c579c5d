import { join } from 'node:path';
import { DAY, HOUR } from '../src/domain/primitives/time.ts';
import { PlayerRankings } from '../src/forecasting/facts/player-rankings.ts';
import { LeagueLearners } from '../src/forecasting/learning/league-learners.ts';
import type { LeagueEventResults } from '../src/forecasting/learning/packed-results.ts';
import { createResultSaver } from '../src/forecasting/learning/result-saver.ts';
import type { ResultsStore } from '../src/forecasting/learning/results-store.ts';
import { openSqliteResultsStore } from '../src/forecasting/learning/sqlite-results-store.ts';
import { createBackgroundWork } from '../src/platform/async/background-work.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../src/platform/sqlite/sqlite-database.ts';
import type { Benchmark } from './benchmark.ts';
import { seeded } from './event-history.ts';

const FULL = 500_000;
const QUICK = 20_000;
const SPORTS = ['nba', 'ncaab', 'mlb', 'nhl', 'nfl'] as const;
/** Games on one day of a league, and the number of its teams. */
const A_DAY = 12;
const TEAMS = 60;
const BEGINS = Date.UTC(2000, 0, 1);

const ENDS = new Map([['all', 1n]]);

/** What a start costs until the models have learned all stored results, without and with what was learned before. */
export const learning: Benchmark = {
  name: 'learning',
  summary:
    '500,000 results: CPU to learn them from nothing, and how long a start takes that goes on from what was learned',
  runs: 1,
  async run({ folder, quick, say }) {
    const count = quick ? QUICK : FULL;
    say(`${count} results of ${SPORTS.length} leagues`);
    const file = join(folder, 'learning.db');
    const { yieldToRequests } = createBackgroundWork();
    const begin = () => {
      const database = openSqliteDatabase({ file, synchronous: 'normal', cacheMib: 2 });
      const store = openSqliteResultsStore(database);
      const leagues = new LeagueLearners(new PlayerRankings());
      const saver = createResultSaver({
        store,
        leagues,
        onError(error) {
          throw error;
        },
      });
      return { database, store, leagues, saver };
    };
    await fill(begin(), count);

    /** As the forecast service starts. */
    async function start() {
      const server = begin();
      const holds = watchHolds();
      const begun = performance.now();
      const cpu = process.cpuUsage();
      const restored = await server.saver.restore(ENDS, yieldToRequests);
      for (const { league, memory, old } of restored!.memories) server.leagues.goOnFrom(league, memory, old);
      for (const story of restored!.stories) {
        server.leagues.put(story);
        await yieldToRequests();
      }
      const read = secondsOf(process.cpuUsage(cpu));
      await server.leagues.learn(yieldToRequests);
      const all = secondsOf(process.cpuUsage(cpu));
      const ready = (performance.now() - begun) / 1000;
      return { ...server, restored: restored!, read, all, ready, hold: holds.end() };
    }

    say('from nothing');
    const first = await start();
    const holds = watchHolds();
    await first.saver.save(ENDS);
    const saving = holds.end();
    first.database.close();
    const numbers = first.leagues.size.bytes;
    say('from what was learned');
    const again = await start();
    if (again.leagues.size.bytes !== numbers) throw new Error('other results are known than before');
    if (again.restored.memories.length !== SPORTS.length) throw new Error('nothing was kept');
    const floor = await secondsToRead(again.store, again.restored.stories);
    again.database.close();
    const most = (number: number) => ({ of: 'value', bound: 'at most', number }) as const;
    return [
      { what: 'results in memory at the end', value: numbers / 1e6, unit: 'MB' },
      { what: 'from nothing: CPU to read and to order stored results', value: first.read, unit: 's' },
      { what: 'from nothing: CPU to learn them', value: first.all - first.read, unit: 's' },
      { what: 'from nothing: CPU in all', value: first.all, unit: 's', goal: most(20) },
      { what: 'from nothing: longest hold of the event loop', value: first.hold, unit: 'ms', goal: most(50) },
      { what: 'longest hold while what was learned is stored', value: saving, unit: 'ms', goal: most(50) },
      {
        what: 'from what was learned: ready after',
        value: again.ready,
        unit: 's',
        floor: { what: 'reading the rows of the results that are learned', value: floor },
        goal: most(3),
      },
      { what: 'from what was learned: CPU', value: again.all, unit: 's' },
      { what: 'from what was learned: longest hold of the event loop', value: again.hold, unit: 'ms', goal: most(50) },
    ];
  },
};

interface Opened {
  readonly database: SqliteDatabase;
  readonly saver: ReturnType<typeof createResultSaver>;
}

/** Stores results, and nothing of what was learned of them. */
async function fill({ database, saver }: Opened, count: number): Promise<void> {
  for (const one of resultsOf(count)) {
    saver.put(one);
    await saver.saveIfMany(ENDS, false);
  }
  await saver.save(ENDS);
  database.close();
}

/** Of rows that are read, and nothing else. */
async function secondsToRead(store: ResultsStore, stories: readonly LeagueEventResults[]): Promise<number> {
  const from = Math.min(...stories.map(({ results }) => results[0]!.at));
  const begun = performance.now();
  for (const league of await store.listLeagues()) {
    await store.readPage({ league, from, before: Number.POSITIVE_INFINITY, limit: stories.length });
  }
  return (performance.now() - begun) / 1000;
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** The longest time between two turns of the event loop. */
function watchHolds() {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return {
    end() {
      clearInterval(timer);
      return longest;
    },
  };
}

function* resultsOf(count: number): Generator<LeagueEventResults> {
  const random = seeded(count);
  for (let id = 1; id <= count; id++) {
    const sport = SPORTS[id % SPORTS.length]!;
    const startsAt = BEGINS + Math.floor(id / SPORTS.length / A_DAY) * DAY + (id % A_DAY) * HOUR;
    const home = Math.floor(random() * TEAMS);
    const away = (home + 1 + Math.floor(random() * (TEAMS - 1))) % TEAMS;
    const score = { home: Math.floor(random() * 40), away: Math.floor(random() * 40) };
    const at = startsAt + 3 * HOUR;
    const fixture = {
      league: sport,
      startsAt,
      home: `${home}`,
      away: `${away}`,
      isNeutral: false,
      surface: null,
      bestOf: null,
    };
    const winner = score.home > score.away ? ('home' as const) : score.home < score.away ? ('away' as const) : null;
    const game = { ...fixture, starters: { home: null, away: null }, score, winner, detail: null, scope: null };
    const fact = { kind: 'score', source: 'bench', ref: `${id}` };
    yield {
      id,
      sport,
      league: sport,
      name: `bench/${id}`,
      closesAt: startsAt,
      results: [{ at, recordedAt: at, fact, game }],
    };
  }
}
