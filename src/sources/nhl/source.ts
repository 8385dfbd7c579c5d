import { asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { easternDays } from '../provider-base/eastern-day.ts';
import type { GamesSource } from '../provider-base/games-source.ts';
import type { LeagueView, ProviderRequest } from '../provider-base/provider.ts';
import { AHEAD_EVERY, currentDays, isoDay, todayEvery } from '../provider-base/scoreboard-days.ts';
import { gameMessages } from './games.ts';

/** The NHL's own API. Its paths with `now` instead of a day redirect, so it is asked by day. */
export const NHL: GamesSource = {
  name: 'nhl',
  address: 'https://api-web.nhle.com',
  league: 'nhl',
  summary: "days and weeks of games of the NHL's API (v1/score, v1/schedule; JSON)",
  path: /\/v1\/(score|schedule)\/\d{4}-\d\d-\d\d\/?$/,
  at: 'games[]',
  games(body) {
    const { games, gameWeek } = asRecord(body);
    if (Array.isArray(games)) return asRecords(games);
    return Array.isArray(gameWeek) ? gamesOf(asRecords(gameWeek)) : undefined;
  },
  idOf: ({ id }) => asText(id),
  needed: [
    ['id', 'text'],
    ['gameState', 'text'],
    ['homeTeam.abbrev', 'text'],
    ['awayTeam.abbrev', 'text'],
  ],
  requests,
  messages: gameMessages,
};

function* gamesOf(week: readonly JsonObject[]): Generator<JsonObject> {
  for (const { games } of week) yield* asRecords(games);
}

function requests(view: LeagueView, now: number): ProviderRequest[] {
  const { ahead } = easternDays(now);
  const request = (kind: string, path: string, intervalSeconds: number, isFirst: boolean): ProviderRequest => ({
    key: `nhl:${path}`,
    kind,
    league: view.league,
    path,
    query: {},
    intervalSeconds,
    urgency: view.state,
    ...(isFirst && { isPrerequisite: true }),
  });
  return [
    ...currentDays(view, now).map((day, index) =>
      request('scoreboard', `/v1/score/${isoDay(day)}`, todayEvery(view, now), index === 0),
    ),
    // A week from that day.
    request('schedule', `/v1/schedule/${isoDay(ahead[0]!)}`, AHEAD_EVERY[view.state], false),
  ];
}
