import { expect, it, onTestFinished } from 'vitest';
import { espnProvider } from '../../src/sources/espn/provider.ts';
import { MLB } from '../../src/sources/mlb/source.ts';
import { NHL } from '../../src/sources/nhl/source.ts';
import { createGamesProvider } from '../../src/sources/provider-base/games-source.ts';
import type { Provider, ProviderRequest } from '../../src/sources/provider-base/provider.ts';
import { BOOTSTRAP_KEY } from '../api/agent/serving.ts';
import { composed } from '../support/composed.ts';
import { event, status } from './espn/espn-answers.ts';
import { NOW, readLive } from './read-live-answers.ts';

const TEAMS = { home: { id: 116, name: 'Detroit Tigers' }, away: { id: 142, name: 'Minnesota Twins' } };

type Address = Pick<ProviderRequest, 'path' | 'query'>;

/** A game of tomorrow at a provider, whose start is a placeholder or set. */
const ANSWERS: readonly (readonly [string, () => Provider, Address, (isSet: boolean) => object])[] = [
  [
    'ESPN',
    espnProvider,
    { path: '/apis/site/v2/sports/basketball/nba/scoreboard', query: { dates: '20261123' } },
    (timeValid) => ({ leagues: [{}], events: [event(status('SCHEDULED', 'pre'), { timeValid })] }),
  ],
  [
    'MLB',
    () => createGamesProvider(MLB),
    { path: '/api/v1/schedule', query: {} },
    (isSet) => {
      const detailed = { detailedState: 'Scheduled', startTimeTBD: !isSet };
      const teams = { home: { team: TEAMS.home }, away: { team: TEAMS.away } };
      const game = { gamePk: 1, gameType: 'R', season: '2026', gameDate: '2026-11-24T18:00:00Z' };
      return { dates: [{ games: [{ ...game, status: detailed, teams, gameNumber: 1, doubleHeader: 'N' }] }] };
    },
  ],
  [
    'the NHL',
    () => createGamesProvider(NHL),
    { path: '/v1/score/2026-11-23', query: {} },
    (isSet) => {
      const game = { id: 1, season: 20262027, gameType: 2, startTimeUTC: '2026-11-24T18:00:00Z', gameState: 'FUT' };
      const sides = {
        homeTeam: { id: 6, abbrev: 'BOS', name: { default: 'Bruins' } },
        awayTeam: { id: 14, abbrev: 'TBL', name: { default: 'Lightning' } },
      };
      return { games: [{ ...game, ...sides, gameScheduleState: isSet ? 'OK' : 'TBD' }] };
    },
  ],
];

it.each(ANSWERS)('a start that %s had as a placeholder is exact once it is set', async (_, open, address, answer) => {
  const server = await composed({ time: NOW, settings: { bootstrapKey: BOOTSTRAP_KEY } });
  onTestFinished(() => server.close());
  await server.core.runner.start();
  const provider = open();
  async function tell(isSet: boolean): Promise<unknown> {
    server.clock.time += 60_000;
    const { messages } = await readLive(provider, address, answer(isSet));
    const at = new Date(server.clock.time).toISOString();
    const items = messages.map((message, index) => ({ line: index + 1, value: { ...message, at } }));
    await server.core.intake.accept(items);
    await server.core.projected();
    const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` };
    const event = (await (await fetch(`${server.url}/v1/events/1`, { headers })).json()) as any;
    return event.starts_at_qualifier;
  }
  expect(await tell(false)).toBe('tbd');
  expect(await tell(true)).toBe('exact');
});
