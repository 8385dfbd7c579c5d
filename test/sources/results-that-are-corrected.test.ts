import { expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/domain/primitives/time.ts';
import { espnProvider } from '../../src/sources/espn/provider.ts';
import { MLB } from '../../src/sources/mlb/source.ts';
import { NHL } from '../../src/sources/nhl/source.ts';
import { createGamesProvider } from '../../src/sources/provider-base/games-source.ts';
import type { LeagueView, Provider } from '../../src/sources/provider-base/provider.ts';
import { known, NOW, view } from './read-live-answers.ts';

const SOURCES: readonly (readonly [string, Provider, Pick<LeagueView, 'sport' | 'league'>])[] = [
  ['ESPN', espnProvider(), { sport: 'nfl', league: 'nfl' }],
  ['MLB', createGamesProvider(MLB), { sport: 'mlb', league: 'mlb' }],
  ['the NHL', createGamesProvider(NHL), { sport: 'nhl', league: 'nhl' }],
];

it.each(SOURCES)(
  'the result of the last game of a day is looked at as often as play at %s, for ten minutes',
  (_, provider, league) => {
    const every = (overSince: number | undefined): unknown => {
      const ended = known({ status: 'final', startsAt: NOW - 3 * 60 * MINUTE, overSince });
      const requests = provider.requests([view({ ...league, state: 'idle', events: [ended] })], NOW);
      return requests.find(({ isPrerequisite }) => isPrerequisite)!.intervalSeconds;
    };
    expect([NOW, NOW - 10 * MINUTE].map(every)).toEqual([15, 15]);
    expect([NOW - 11 * MINUTE, NOW - DAY].map(every)).toEqual([3600, 3600]);
  },
);
