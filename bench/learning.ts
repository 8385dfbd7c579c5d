import { DAY, HOUR } from '../src/domain/primitives/time.ts';
import { PlayerRankings } from '../src/forecasting/facts/player-rankings.ts';
import { LeagueLearners } from '../src/forecasting/learning/league-learners.ts';
import { type LeagueEventResults, packResults, unpackResults } from '../src/forecasting/learning/packed-results.ts';
import { createBackgroundWork } from '../src/platform/async/background-work.ts';
import type { Benchmark } from './benchmark.ts';
import { seeded } from './event-history.ts';

const FULL = 500_000;
const QUICK = 20_000;
const SPORTS = ['nba', 'ncaab', 'mlb', 'nhl', 'nfl'] as const;
/** Games on one day of a league, and the number of its teams. */
const A_DAY = 12;
const TEAMS = 60;
const BEGINS = Date.UTC(2000, 0, 1);

/** What a start costs until the models have learned all stored results. */
export const learning: Benchmark = {
  name: 'learning',
  summary:
    '500,000 stored results: how long a start takes until all forecasts are there, and how long it holds the event loop',
  runs: 1,
  async run({ quick, say }) {
    const count = quick ? QUICK : FULL;
    say(`${count} results of ${SPORTS.length} leagues`);
    const packed = [...resultsOf(count)].map((one) => [one.id, packResults(one)] as const);
    const { yieldToRequests } = createBackgroundWork();
    const hold = watchHolds();
    const begun = performance.now();
    const cpu = process.cpuUsage();
    const learners = new LeagueLearners(new PlayerRankings());
    for (const [id, text] of packed) {
      learners.put(unpackResults(id, text));
      await yieldToRequests();
    }
    const read = secondsOf(process.cpuUsage(cpu));
    await learners.learn(yieldToRequests);
    const all = secondsOf(process.cpuUsage(cpu));
    const ready = (performance.now() - begun) / 1000;
    const longest = hold.end();
    return [
      { what: 'results in memory at the end', value: learners.size.bytes / 1e6, unit: 'MB' },
      { what: 'CPU to unpack and to order stored results', value: read, unit: 's' },
      { what: 'CPU to learn them', value: all - read, unit: 's' },
      { what: 'CPU in all', value: all, unit: 's', goal: { of: 'value', bound: 'at most', number: 20 } },
      { what: 'ready after', value: ready, unit: 's', goal: { of: 'value', bound: 'at most', number: 3 } },
      {
        what: 'longest hold of the event loop',
        value: longest,
        unit: 'ms',
        goal: { of: 'value', bound: 'at most', number: 50 },
      },
    ];
  },
};

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
