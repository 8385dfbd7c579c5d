import type { ProviderTransport, TransportAnswer } from '../../../src/sources/connectors/provider-transport.ts';
import { easternDays } from '../../../src/sources/provider-base/eastern-day.ts';
import { isoDay } from '../../../src/sources/provider-base/scoreboard-days.ts';

/**
 * Part of a protocol double: hosts that let in whom the public reports say they let in, and games of baseball and hockey
 * in the shapes of ESPN, MLB and the NHL. Everything in them is made up.
 */
export interface BallGame {
  readonly league: 'mlb' | 'nhl';
  readonly id: number;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** When each side scores. */
  readonly home: readonly number[];
  readonly away: readonly number[];
}

interface AskedOnce {
  readonly at: number;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

const SIDES = {
  mlb: {
    home: { id: 116, name: 'Detroit Tigers', abbreviation: 'DET' },
    away: { id: 142, name: 'Minnesota Twins', abbreviation: 'MIN' },
  },
  nhl: {
    home: { id: 6, name: 'Boston Bruins', abbreviation: 'BOS' },
    away: { id: 14, name: 'Tampa Bay Lightning', abbreviation: 'TBL' },
  },
} as const;
const PLACES = { mlb: 'baseball/mlb', nhl: 'hockey/nhl' } as const;
const PERIODS = { mlb: 9, nhl: 3 } as const;

/** As the tables of August 2026 show it: who gives an https address passes, and so do some libraries. */
export function isLetInByEspn(agent: string): boolean {
  if (/^Mozilla\//.test(agent)) return false;
  if (/^[\w.-]+\/\S+ \(\+https:\/\/[^)]+\)$/.test(agent)) return true;
  return /^(curl|python-requests|python-httpx|Go-http-client|okhttp|axios)\//.test(agent);
}

function stateOf({ league, startsAt, endsAt, home, away }: BallGame, now: number) {
  const count = (scores: readonly number[]) => scores.filter((at) => at <= now).length;
  const part = Math.min(Math.max(0, (now - startsAt) / (endsAt - startsAt)), 0.999);
  const period = 1 + Math.floor(part * PERIODS[league]);
  const within = part * PERIODS[league] - (period - 1);
  const left = Math.floor(1200 * (1 - within));
  return {
    phase: now < startsAt ? 'pre' : now < endsAt ? 'in' : 'post',
    home: count(home),
    away: count(away),
    period,
    half: within < 0.5 ? 'Top' : 'Bottom',
    outs: Math.floor(((within * 2) % 1) * 3),
    clock: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`,
  } as const;
}

const iso = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;
const isOn = (game: BallGame, day: string): boolean => isoDay(easternDays(game.startsAt).today) === day;

function espnScoreboard(league: 'mlb' | 'nhl', games: readonly BallGame[], now: number) {
  const status = (game: BallGame) => {
    const { phase, period, half, clock } = stateOf(game, now);
    const [name, completed] = {
      pre: ['STATUS_SCHEDULED', false],
      in: ['STATUS_IN_PROGRESS', false],
      post: ['STATUS_FINAL', true],
    }[phase] as [string, boolean];
    const detail = league === 'mlb' && phase === 'in' ? `${half} ${period}` : name;
    return { period, displayClock: clock, type: { name, state: phase, completed, detail } };
  };
  return {
    leagues: [{ slug: league }],
    events: games.map((game) => {
      const state = stateOf(game, now);
      const competitors = (['home', 'away'] as const).map((homeAway) => {
        const { id, name, abbreviation } = SIDES[league][homeAway];
        return {
          id: String(id + 1000),
          homeAway,
          score: String(state[homeAway]),
          team: { displayName: name, abbreviation },
        };
      });
      const competition = { id: String(game.id), date: iso(game.startsAt), status: status(game), competitors };
      return {
        id: String(game.id),
        date: iso(game.startsAt),
        season: { year: 2026, type: 2 },
        competitions: [competition],
      };
    }),
  };
}

function mlbSchedule(games: readonly BallGame[], now: number) {
  const of = (game: BallGame) => {
    const { phase, period, half, outs, ...runs } = stateOf(game, now);
    const side = (role: 'home' | 'away') => ({ team: SIDES.mlb[role], ...(phase !== 'pre' && { score: runs[role] }) });
    return {
      gamePk: game.id + 5000,
      gameType: 'R',
      season: '2026',
      gameDate: new Date(game.startsAt).toISOString(),
      status: { detailedState: { pre: 'Scheduled', in: 'In Progress', post: 'Final' }[phase] },
      teams: { home: side('home'), away: side('away') },
      linescore: { currentInning: period, inningState: half, outs, innings: [] },
      doubleHeader: 'N',
      gameNumber: 1,
    };
  };
  return { dates: [{ games: games.map(of) }] };
}

function nhlScore(games: readonly BallGame[], now: number) {
  const of = (game: BallGame) => {
    const { phase, period, clock, ...goals } = stateOf(game, now);
    const side = (role: 'home' | 'away') => {
      const { id, name, abbreviation } = SIDES.nhl[role];
      return { id, abbrev: abbreviation, name: { default: name.split(' ').at(-1) }, score: goals[role] };
    };
    return {
      id: game.id + 5000,
      season: 20262027,
      gameType: 2,
      startTimeUTC: new Date(game.startsAt).toISOString(),
      gameScheduleState: 'OK',
      gameState: { pre: 'FUT', in: period === 3 ? 'CRIT' : 'LIVE', post: 'OFF' }[phase],
      periodDescriptor: { number: period, periodType: 'REG' },
      clock: { timeRemaining: clock },
      homeTeam: side('home'),
      awayTeam: side('away'),
    };
  };
  return { games: games.map(of) };
}

/** What ESPN's other lists say: nothing. */
const NOTHING_ELSE = {
  injuries: [],
  sports: [{ leagues: [{ teams: [] }] }],
  header: { competitions: [] },
  boxscore: {},
  athletes: [],
  team: {},
};

interface StrictHosts {
  readonly games: readonly BallGame[];
  readonly now: () => number;
  /** ESPN refuses everybody from this time to that one. */
  readonly espnRefuses?: readonly [from: number, to: number];
  /** ESPN's cache answers with what it had at this time, from then on. */
  readonly espnStandsSince?: number;
}

/** The hosts `espn.test`, `mlb.test`, `nhl.test`, and ESPN's other one, `espn2.test`, which refuses nobody. */
export function strictHosts({ games, now, espnRefuses, espnStandsSince }: StrictHosts) {
  const asked: AskedOnce[] = [];

  function answerOf(url: URL, agent: string): { status: number; body: unknown } {
    const { host, pathname, searchParams } = url;
    const of = (league: 'mlb' | 'nhl', day: string) =>
      games.filter((game) => game.league === league && isOn(game, day));
    if (host === 'espn.test' || host === 'espn2.test') {
      const isShut =
        host === 'espn.test' && espnRefuses !== undefined && now() >= espnRefuses[0] && now() < espnRefuses[1];
      if (isShut || !isLetInByEspn(agent)) return { status: 403, body: '<html>Access Denied</html>' };
      const league = (['mlb', 'nhl'] as const).find((one) => pathname.endsWith(`${PLACES[one]}/scoreboard`));
      const dates = searchParams.get('dates') ?? '';
      if (!league) return { status: 200, body: NOTHING_ELSE };
      if (!/^\d{8}$|^\d{6}$|^\d{4}$/.test(dates)) return { status: 400, body: { code: 400 } };
      const day = `${dates.slice(0, 4)}-${dates.slice(4, 6)}-${dates.slice(6)}`;
      return { status: 200, body: espnScoreboard(league, of(league, day), Math.min(now(), espnStandsSince ?? now())) };
    }
    if (host === 'mlb.test') {
      const day = searchParams.get('date');
      return { status: 200, body: mlbSchedule(day === null ? [] : of('mlb', day), now()) };
    }
    if (pathname.endsWith('/now')) return { status: 307, body: '' };
    const [, day = ''] = /\/v1\/score\/(.+)$/.exec(pathname) ?? [];
    return { status: 200, body: nhlScore(of('nhl', day), now()) };
  }

  const transport: ProviderTransport = async (address, { headers }): Promise<TransportAnswer> => {
    const url = new URL(address);
    const { status, body } = answerOf(url, headers['user-agent'] ?? '');
    asked.push({ at: now(), host: url.host, path: url.pathname, query: url.search, status });
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return {
      status,
      headers: [['content-type', 'application/json']],
      body: (async function* () {
        yield bytes;
      })(),
    };
  };
  return { transport, asked: asked as readonly AskedOnce[] };
}
