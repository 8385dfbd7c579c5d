import { setImmediate } from 'node:timers/promises';
import { findLeague } from '../src/domain/catalogue/catalogue.ts';
import type { Intake } from '../src/ingest/intake/intake.ts';
import { openConnectors } from '../src/sources/connectors/connectors.ts';
import { ALL_LEAGUES } from '../src/sources/connectors/league-views.ts';
import type { ProviderClient } from '../src/sources/connectors/provider-client.ts';
import { createMemoryConnectorStore } from '../src/sources/connectors/store/memory-connector-store.ts';
import { espnProvider } from '../src/sources/espn/provider.ts';
import type { LeagueView } from '../src/sources/provider-base/provider.ts';
import type { Benchmark } from './benchmark.ts';

/** All events are in play all of the time, so that minutes tell of a whole day. */
const FULL = { events: 1000, minutes: 10 };
const QUICK = { events: 100, minutes: 5 };

const START = Date.parse('2026-11-23T18:00:00Z');
const PLAYERS = 13;
const STATS = ['minutes', 'points', 'rebounds', 'assists', 'steals', 'blocks', 'turnovers', 'fouls', 'plusMinus'];

/** What connectors take of a processor, the network and the log left out. */
export const connectors: Benchmark = {
  name: 'connectors',
  summary: '1,000 events in play, each asked for every 30 s, scoreboards every 15 s: the work of asking and reading',
  runs: 3,
  async run({ quick, say }) {
    const { events, minutes } = quick ? QUICK : FULL;
    const leagues = ALL_LEAGUES.filter((league) => findLeague(league)!.sport !== 'tennis');
    const views = leagues.map((league, index) => viewOf(league, index, events / leagues.length));
    const bodies = createBodies(views);
    const time = createFastTime();
    const given = { answers: 0, bytes: 0, messages: 0 };
    const parsed: string[] = [];
    const client: ProviderClient = async (url) => {
      const body = bodies(new URL(url), time.now());
      given.answers++;
      given.bytes += body.length;
      parsed.push(body);
      const arrivedAt = START + time.now();
      return { sentHeaders: {}, status: 200, headers: {}, body, bytes: body.length, arrivedAt, durationMs: 20 };
    };
    const intake: Intake = {
      async accept(items) {
        given.messages += items.length;
        return { outcomes: items.map(({ line }) => ({ line, status: 'accepted' as const })), positions: new Map() };
      },
    };
    const opened = await openConnectors({
      leagues,
      providers: [{ provider: espnProvider(), address: 'http://provider.example' }],
      client,
      intake,
      connectorStore: createMemoryConnectorStore(),
      owner: 'bench',
      pace: 1,
      random: Math.random,
      views: () => ({
        eventIdOf: () => undefined,
        refOf: () => undefined,
        viewsFor: () => views,
        refresh: async () => {},
        close() {},
      }),
      now: () => START + time.now(),
      steadyNow: time.now,
      setTimer: time.setTimer,
      onError(error) {
        throw error;
      },
    });
    for (const { events: own } of views) {
      for (const { ref } of own) for (let minute = 0; minute < 4; minute++) bodies(summaryUrl(ref!), minute * 60_000);
    }
    say(`${minutes} minutes of ${events} events, in fast time`);
    const seconds = minutes * 60;
    const before = process.cpuUsage();
    await opened.start();
    await time.pass(seconds * 1000);
    const used = cpuSeconds(before);
    await opened.close();
    const expected = (events * seconds) / 30;
    if (given.answers < 0.9 * expected) throw new Error(`${given.answers} answers, where ${expected} were to come`);
    const [health] = opened.health();
    if (health!.failures > 0 || given.messages < events) throw new Error(`it went wrong: ${JSON.stringify(health)}`);
    say(`${given.answers} answers, ${Math.round(given.bytes / 1e6)} MB; the same, parsed and no more`);
    const bare = process.cpuUsage();
    for (const body of parsed) JSON.parse(body);
    const floor = cpuSeconds(bare);
    const percent = (cpu: number) => (100 * cpu) / seconds;
    return [
      {
        what: `${events} events polled every 30 s: of one core`,
        value: percent(used),
        unit: '%',
        floor: { what: 'the same bodies parsed', value: percent(floor) },
        goal: { of: 'value', bound: 'at most', number: 5 },
      },
      { what: 'an answer, read and compared', value: (1e6 * used) / given.answers, unit: 'µs' },
    ];
  },
};

const summaryUrl = (ref: string): URL => new URL(`http://provider.example/summary?event=${ref}`);

const cpuSeconds = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

function viewOf(league: string, index: number, events: number): LeagueView {
  return {
    sport: findLeague(league)!.sport,
    league,
    state: 'live',
    teamRefs: [],
    events: Array.from({ length: Math.round(events) }, (_, number) => ({
      eventId: 1000 * index + number,
      ref: String(400_000 + 1000 * index + number),
      status: 'inprogress',
      startsAt: START - 3_600_000,
      overSince: undefined,
    })),
  };
}

/** The body of each URL at a time: games score every minute, one after another. */
function createBodies(views: readonly LeagueView[]): (url: URL, now: number) => string {
  const leagueOf = new Map(views.flatMap((view) => view.events.map(({ ref }) => [ref!, view] as const)));
  const kept = new Map<string, string>();
  const scoreboards: string[] = [];
  return (url, now) => {
    const minute = Math.floor(now / 60_000);
    const ref = url.searchParams.get('event');
    if (ref !== null) {
      const name = `${ref} ${(minute + Number(ref)) % 4}`;
      const known = kept.get(name) ?? JSON.stringify(summary(ref, leagueOf.get(ref)!, (minute + Number(ref)) % 4));
      kept.set(name, known);
      return known;
    }
    if (!url.pathname.endsWith('/scoreboard'))
      return JSON.stringify({ injuries: [], sports: [{ leagues: [{ teams: [] }] }] });
    const isToday = url.searchParams.get('dates') === '20261123';
    const place = url.pathname;
    if (!isToday) return JSON.stringify({ leagues: [{}], events: [] });
    if (!scoreboards.includes(place)) scoreboards.push(place);
    const view = views[scoreboards.indexOf(place)]!;
    const name = `${place} ${minute % 4}`;
    const events = () => view.events.map((event) => game(event.ref!, minute % 4));
    const known = kept.get(name) ?? JSON.stringify({ leagues: [{}], events: events() });
    kept.set(name, known);
    return known;
  };
}

function competition(ref: string, points: number) {
  const side = (homeAway: string, id: string) => ({
    id,
    homeAway,
    order: homeAway === 'home' ? 0 : 1,
    score: String(40 + points),
    linescores: [
      { value: 20, period: 1 },
      { value: 20 + points, period: 2 },
    ],
    records: [{ name: 'overall', type: 'total', summary: '10-3' }],
    team: { id, displayName: `Team ${id}`, abbreviation: `T${id.slice(-3)}`, name: id, location: 'Town' },
  });
  return {
    id: ref,
    date: '2026-11-23T17:00Z',
    timeValid: true,
    neutralSite: false,
    venue: { id: '1', fullName: 'Hall', address: { city: 'Town', country: 'USA' } },
    status: {
      clock: 100,
      displayClock: '1:40',
      period: 2,
      type: { id: '2', name: 'STATUS_IN_PROGRESS', state: 'in', completed: false, detail: '1:40 - 2nd' },
    },
    competitors: [side('home', `${ref}1`), side('away', `${ref}2`)],
  };
}

const game = (ref: string, points: number) => ({
  id: ref,
  date: '2026-11-23T17:00Z',
  name: ref,
  season: { year: 2027, type: 2 },
  competitions: [competition(ref, points)],
});

function summary(ref: string, { league }: LeagueView, points: number) {
  const players = (id: string) =>
    Array.from({ length: PLAYERS }, (_, number) => ({
      athlete: { id: `${id}${number}`, displayName: `Player ${id} ${number}`, position: { abbreviation: 'G' } },
      starter: number < 5,
      didNotPlay: false,
      stats: STATS.map((_, stat) => String(stat + points)),
    }));
  const sides = [`${ref}1`, `${ref}2`];
  return {
    header: {
      id: ref,
      league: { slug: league },
      season: { year: 2027, type: 2 },
      competitions: [competition(ref, points)],
    },
    boxscore: {
      teams: sides.map((id) => ({
        team: { id },
        statistics: STATS.map((name, stat) => ({ name, label: name, displayValue: String(10 * stat + points) })),
      })),
      players: sides.map((id) => ({
        team: { id },
        statistics: [{ names: STATS, keys: STATS, labels: STATS, athletes: players(id) }],
      })),
    },
    // What a summary holds beside it, and nobody reads.
    plays: Array.from({ length: 150 }, (_, play) => ({
      id: `${ref}${play}`,
      sequenceNumber: String(play),
      text: `Player ${play} makes a shot from 20 feet`,
      awayScore: play,
      homeScore: play,
      period: { number: 1 },
      clock: { displayValue: '11:40' },
      scoringPlay: true,
      wallclock: '2026-11-23T17:10:00Z',
    })),
  };
}

/** Time that goes on as fast as everything that waits for it is done. */
function createFastTime() {
  let time = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => time,
    setTimer(callback: () => void, milliseconds: number) {
      const timer = { at: time + milliseconds, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async pass(milliseconds: number): Promise<void> {
      for (;;) {
        for (let turn = 0; turn < 3; turn++) await setImmediate();
        const next = [...timers].reduce<{ at: number; callback: () => void } | undefined>(
          (first, timer) => (first && first.at <= timer.at ? first : timer),
          undefined,
        );
        if (!next || next.at > milliseconds) return;
        timers.delete(next);
        time = Math.max(time, next.at);
        next.callback();
      }
    },
  };
}
