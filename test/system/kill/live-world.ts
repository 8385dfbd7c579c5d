import { onTestFinished } from 'vitest';
import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { easternDays } from '../../../src/sources/provider-base/eastern-day.ts';
import type { Fault, Trouble } from '../../sources/simulated-provider/faults.ts';
import {
  actionNetworkTimelines,
  espnTimelines,
  type GameStory,
  oddsApiTimelines,
  plainGame,
} from '../../sources/simulated-provider/game-story.ts';
import {
  createSimulatedProvider,
  type SimulatedProvider,
  serveSimulated,
} from '../../sources/simulated-provider/simulated-provider.ts';

/** Milliseconds: how long the games take, and the troubles with them. */
export const PLAYED = 30 * SECOND;
export const PACE = 60;

const NAMES = ['Cleveland Browns', 'Kansas City Chiefs', 'Buffalo Bills', 'Miami Dolphins'];
const CITIES = ['Boston Celtics', 'Chicago Bulls', 'Utah Jazz', 'Phoenix Suns'];

/** Two games that are played while the server is killed, and two to come, whose prices move; one of these is put off. */
export function storiesFrom(begin: number): readonly GameStory[] {
  const game = (league: 'nfl' | 'nba', id: number, startsAt: number): GameStory => {
    const names = league === 'nfl' ? NAMES : CITIES;
    const side = (n: number) => ({
      id: `${id}${n}`,
      abbreviation: `C${id}${n}`,
      name: names[2 * (id % 2) + n]!,
    });
    const given = { league, id: String(400 + id), startsAt: begin, home: side(0), away: side(1) };
    return { ...plainGame(given, PLAYED), startsAt: Math.floor(startsAt / MINUTE) * MINUTE };
  };
  const played = (league: 'nfl' | 'nba', id: number): GameStory => ({ ...game(league, id, begin), prices: [] });
  const toCome = (league: 'nfl' | 'nba', id: number, play: GameStory['play']): GameStory => ({
    // On the day of the others: that is the one whose scoreboard is asked for all the time.
    ...game(league, id, Math.min(begin + 20 * MINUTE, easternDays(begin).today.to - MINUTE)),
    play,
    prices: Array.from({ length: 13 }, (_, index) => ({
      at: begin + (index * PLAYED) / 12,
      home: -110 - 5 * index,
      away: 100 + 5 * index,
      homeBets: 50 + index,
    })),
  });
  const off = { at: begin + PLAYED / 2, status: 'postponed', period: 0, clock: '0:00', home: 0, away: 0 } as const;
  // Of the first of each league somebody is injured.
  return [toCome('nfl', 3, []), played('nfl', 2), played('nba', 4), toCome('nba', 5, [off])];
}

const FAULTS: readonly Fault[] = [
  { kind: 'reset' },
  { kind: 'status', status: 503 },
  { kind: 'truncated' },
  { kind: 'status', status: 429, retryAfter: 1 },
  { kind: 'cache', seconds: 600, told: true },
  { kind: 'doubled', seconds: 30 },
  { kind: 'drift', change: () => ({ other: [] }) },
  { kind: 'text', text: '<html>' },
  { kind: 'silence' },
  { kind: 'skew', seconds: 3600 },
];

export type Name = 'espn' | 'the-odds-api' | 'action-network';
export type Simulated = Readonly<Record<Name, SimulatedProvider>>;

export async function providers(stories: readonly GameStory[], begin: number) {
  // One after the other, with as much peace between them.
  const each = PLAYED / FAULTS.length;
  const troubles = FAULTS.map(
    (fault, index): Trouble => ({ fault, from: begin + index * each, to: begin + (index + 0.5) * each }),
  );
  const parts = { troubles, now: () => Date.now() };
  const simulated: Simulated = {
    espn: createSimulatedProvider({ ...parts, timelines: espnTimelines(stories) }),
    'the-odds-api': createSimulatedProvider({
      ...parts,
      timelines: oddsApiTimelines(stories),
      credits: { key: 'secret', credits: 1_000_000 },
    }),
    'action-network': createSimulatedProvider({ ...parts, timelines: actionNetworkTimelines(stories) }),
  };
  const serve = async (name: Name) => {
    const { address, close } = await serveSimulated(simulated[name]);
    onTestFinished(close);
    return address;
  };
  const env = {
    FEEDS: 'espn,the-odds-api,action-network',
    FEED_LEAGUES: 'nfl,nba',
    FEED_PACE: String(PACE),
    FEED_TIMEOUT_SECONDS: '0.5',
    THE_ODDS_API_KEY: 'secret',
    THE_ODDS_API_MARKETS: 'h2h',
    ESPN_URL: await serve('espn'),
    THE_ODDS_API_URL: await serve('the-odds-api'),
    ACTION_NETWORK_URL: await serve('action-network'),
  };
  return { simulated, env };
}
