import { asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { easternDays } from '../provider-base/eastern-day.ts';
import type { GamesSource } from '../provider-base/games-source.ts';
import type { LeagueView, ProviderRequest } from '../provider-base/provider.ts';
import { AHEAD_EVERY, currentDays, isoDay, todayEvery } from '../provider-base/scoreboard-days.ts';
import { gameMessages } from './games.ts';

const PATH = '/api/v1/schedule';

/** MLB's StatsAPI. */
export const MLB: GamesSource = {
  name: 'mlb',
  address: 'https://statsapi.mlb.com',
  league: 'mlb',
  summary: "schedules of MLB's StatsAPI with their line scores (JSON)",
  path: /\/api\/v1\/schedule\/?$/,
  at: 'dates[].games[]',
  games(body) {
    const { dates } = asRecord(body);
    return Array.isArray(dates) ? gamesOf(asRecords(dates)) : undefined;
  },
  idOf: ({ gamePk }) => asText(gamePk),
  needed: [
    ['gamePk', 'text'],
    ['gameDate', 'time'],
    ['status.detailedState', 'text'],
    ['teams.home.team.name', 'text'],
    ['teams.away.team.name', 'text'],
  ],
  requests,
  messages: gameMessages,
};

function* gamesOf(dates: readonly JsonObject[]): Generator<JsonObject> {
  for (const { games } of dates) yield* asRecords(games);
}

function requests(view: LeagueView, now: number): ProviderRequest[] {
  const { ahead } = easternDays(now);
  const request = (key: string, days: Record<string, string>, every: number, isFirst: boolean): ProviderRequest => ({
    key: `mlb:${key}`,
    kind: 'scoreboard',
    league: view.league,
    path: PATH,
    query: { sportId: '1', ...days, hydrate: 'linescore,team' },
    intervalSeconds: every,
    urgency: view.state,
    ...(isFirst && { isPrerequisite: true }),
  });
  return [
    ...currentDays(view, now).map((day, index) =>
      request(day.name, { date: isoDay(day) }, todayEvery(view, now), index === 0),
    ),
    {
      ...request(
        'ahead',
        { startDate: isoDay(ahead[0]!), endDate: isoDay(ahead.at(-1)!) },
        AHEAD_EVERY[view.state],
        false,
      ),
      kind: 'schedule',
    },
  ];
}
