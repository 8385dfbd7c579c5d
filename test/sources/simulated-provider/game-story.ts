import { HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { easternDays } from '../../../src/sources/provider-base/eastern-day.ts';
import type { Timeline } from './timelines.ts';

/** Part of a protocol double: a game as the simulated providers tell of it, each in its own shape. */
export interface GameStory {
  readonly league: 'nfl' | 'nba';
  /** ESPN's id; the other providers' ids follow from it. */
  readonly id: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly home: StoryTeam;
  readonly away: StoryTeam;
  /** How it goes, ascending. Before the first of them it has not begun. */
  readonly play: readonly StoryPlay[];
  /** What it costs to bet on, ascending; none before the first of them. */
  readonly prices: readonly StoryPrices[];
}

export interface StoryTeam {
  readonly id: string;
  readonly name: string;
  readonly abbreviation: string;
}

export interface StoryPlay {
  readonly at: number;
  readonly status: 'inprogress' | 'final' | 'postponed';
  readonly period: number;
  readonly clock: string;
  readonly home: number;
  readonly away: number;
}

export interface StoryPrices {
  readonly at: number;
  /** American odds of both sides. */
  readonly home: number;
  readonly away: number;
  /** Percent of the bets on the home side. */
  readonly homeBets: number;
}

const PLACES = {
  nfl: { espn: 'football/nfl', odds: 'americanfootball_nfl' },
  nba: { espn: 'basketball/nba', odds: 'basketball_nba' },
} as const;

const latest = <T extends { readonly at: number }>(steps: readonly T[], time: number): T | undefined =>
  steps.findLast(({ at }) => at <= time);
const iso = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;
const isoSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
export const oddsId = ({ id }: GameStory): string => id.padStart(32, '0');
const changesOf = (stories: readonly GameStory[]): number[] =>
  stories.flatMap(({ play, prices }) => [...play, ...prices].map(({ at }) => at)).sort((a, b) => a - b);

const ESPN_STATUS = {
  inprogress: ['STATUS_IN_PROGRESS', 'in', false],
  final: ['STATUS_FINAL', 'post', true],
  postponed: ['STATUS_POSTPONED', 'post', false],
} as const;

function espnCompetition(story: GameStory, time: number) {
  const play = latest(story.play, time);
  const [name, state, completed] = play ? ESPN_STATUS[play.status] : (['STATUS_SCHEDULED', 'pre', false] as const);
  const prices = latest(story.prices, time);
  const side = (homeAway: 'home' | 'away') => {
    const { id, name: displayName, abbreviation } = story[homeAway];
    return { id, homeAway, score: String(play?.[homeAway] ?? 0), team: { id, displayName, abbreviation } };
  };
  return {
    id: story.id,
    date: iso(story.startsAt),
    timeValid: true,
    status: {
      period: play?.period ?? 0,
      displayClock: play?.clock ?? '0:00',
      type: { name, state, completed, detail: name },
    },
    competitors: [side('home'), side('away')],
    ...(prices && {
      odds: [
        {
          provider: { id: '58', name: 'ESPN BET' },
          homeTeamOdds: { moneyLine: prices.home },
          awayTeamOdds: { moneyLine: prices.away },
        },
      ],
    }),
  };
}

/** ESPN's places of the leagues of these games. */
export function espnTimelines(stories: readonly GameStory[]): Timeline[] {
  const leagues = [...new Set(stories.map(({ league }) => league))];
  return leagues.flatMap((league) => {
    const own = stories.filter((story) => story.league === league);
    const place = `/apis/site/v2/sports/${PLACES[league].espn}`;
    const changesAt = changesOf(own);
    const season = { year: 2026, type: 2 };
    const scoreboard: Timeline = {
      path: `${place}/scoreboard`,
      changesAt,
      bodyAt: (time, { dates }) => ({
        leagues: [{ slug: league }],
        events: own
          .filter(({ startsAt }) => easternDays(startsAt).today.name === dates)
          .map((story) => ({
            id: story.id,
            date: iso(story.startsAt),
            season,
            competitions: [espnCompetition(story, time)],
          })),
      }),
    };
    const summaries = own.map(
      (story): Timeline => ({
        path: `${place}/summary`,
        query: { event: story.id },
        changesAt: changesOf([story]),
        bodyAt: (time) => ({
          header: { id: story.id, season, competitions: [espnCompetition(story, time)] },
          boxscore: {
            teams: (['home', 'away'] as const).map((side) => ({
              team: { id: story[side].id },
              statistics: [{ name: 'turnovers', displayValue: String(latest(story.play, time)?.[side] ?? 0) }],
            })),
          },
        }),
      }),
    );
    const teams = own.flatMap(({ home, away }) => [home, away]);
    const still = (path: string, body: unknown): Timeline => ({ path, changesAt: [], bodyAt: () => body });
    const about = ({ id, name, abbreviation }: StoryTeam) => ({ id, displayName: name, abbreviation });
    return [
      scoreboard,
      ...summaries,
      still(`${place}/injuries`, {
        injuries: teams.slice(0, 1).map((team) => ({
          ...about(team),
          injuries: [{ status: 'Questionable', athlete: { id: `${team.id}9`, displayName: `Ann of ${team.name}` } }],
        })),
      }),
      still(`${place}/teams`, { sports: [{ leagues: [{ teams: teams.map((team) => ({ team: about(team) })) }] }] }),
      ...teams.map((team) =>
        still(`${place}/teams/${team.id}/roster`, {
          team: about(team),
          athletes: [{ id: `${team.id}9`, fullName: `Ann of ${team.name}` }],
        }),
      ),
    ];
  });
}

/** The Odds API's places of these games. An event that is over is in none of its lists. */
export function oddsApiTimelines(stories: readonly GameStory[]): Timeline[] {
  const leagues = [...new Set(stories.map(({ league }) => league))];
  const isListed = ({ play }: GameStory, time: number): boolean => latest(play, time)?.status !== 'final';
  const about = (story: GameStory) => ({
    id: oddsId(story),
    sport_key: PLACES[story.league].odds,
    sport_title: story.league.toUpperCase(),
    commence_time: isoSeconds(story.startsAt),
    home_team: story.home.name,
    away_team: story.away.name,
  });
  const priced = (story: GameStory, time: number) => {
    const prices = latest(story.prices, time);
    const outcomes = [
      { name: story.home.name, price: prices?.home },
      { name: story.away.name, price: prices?.away },
    ];
    const markets = [{ key: 'h2h', outcomes }];
    const book = { key: 'fanduel', title: 'FanDuel', last_update: isoSeconds(prices?.at ?? 0), markets };
    return { ...about(story), bookmakers: prices ? [book] : [] };
  };
  const listOf =
    (own: readonly GameStory[], tell: (story: GameStory, time: number) => unknown) =>
    (time: number): unknown =>
      own.filter((story) => isListed(story, time)).map((story) => tell(story, time));
  const sports = leagues.map((league) => ({ key: PLACES[league].odds, active: true, has_outrights: false }));
  return [
    { path: '/v4/sports', changesAt: [], bodyAt: () => sports },
    ...leagues.flatMap((league): Timeline[] => {
      const own = stories.filter((story) => story.league === league);
      const place = `/v4/sports/${PLACES[league].odds}`;
      const changesAt = changesOf(own);
      return [
        { path: `${place}/events`, changesAt, bodyAt: listOf(own, about) },
        { path: `${place}/odds`, changesAt, bodyAt: listOf(own, priced) },
        ...own.map((story) => ({
          path: `${place}/events/${oddsId(story)}/odds`,
          changesAt,
          bodyAt: (time: number) => priced(story, time),
        })),
      ];
    }),
  ];
}

const ACTION_STATUS = { inprogress: 'inprogress', final: 'complete', postponed: 'postponed' } as const;

/** Action Network's places of these games. */
export function actionNetworkTimelines(stories: readonly GameStory[]): Timeline[] {
  const leagues = [...new Set(stories.map(({ league }) => league))];
  return leagues.map((league) => {
    const own = stories.filter((story) => story.league === league);
    return {
      path: `/web/v2/scoreboard/${league}`,
      changesAt: changesOf(own),
      bodyAt: (time, { date }) => ({
        games: own
          .filter(({ startsAt }) => easternDays(startsAt).today.name === date)
          .map((story) => {
            const play = latest(story.play, time);
            // The percentages stand when the betting has closed.
            const prices = latest(story.prices, Math.min(time, story.startsAt));
            const bets = (percent: number) => ({ tickets: { percent, value: 1 }, money: { percent, value: 1 } });
            const row = (side: string, odds: number, percent: number) => ({
              side,
              odds,
              value: 0,
              bet_info: bets(percent),
            });
            return {
              id: Number(story.id),
              league_name: league,
              start_time: isoSeconds(story.startsAt),
              status: play ? ACTION_STATUS[play.status] : 'scheduled',
              season: 2026,
              type: 'reg',
              home_team_id: Number(story.home.id),
              away_team_id: Number(story.away.id),
              teams: [story.home, story.away].map(({ id, name, abbreviation }) => ({
                id: Number(id),
                full_name: name,
                abbr: abbreviation,
              })),
              boxscore: play && { total_home_points: play.home, total_away_points: play.away, period: play.period },
              markets: prices && {
                15: {
                  event: {
                    moneyline: [
                      row('home', prices.home, prices.homeBets),
                      row('away', prices.away, 100 - prices.homeBets),
                    ],
                  },
                },
              },
            };
          }),
      }),
    };
  });
}

/** A game that begins in time and goes back and forth twelve times, with prices that move for an hour before it. */
export function plainGame(
  given: Pick<GameStory, 'league' | 'id' | 'startsAt' | 'home' | 'away'>,
  lengthMs = 3 * HOUR,
): GameStory {
  const { startsAt } = given;
  const play = Array.from({ length: 12 }, (_, index) => ({
    at: startsAt + (index * lengthMs) / 12,
    status: 'inprogress' as const,
    period: 1 + Math.floor(index / 3),
    clock: `${12 - 4 * (index % 3)}:00`,
    home: 3 * Math.ceil(index / 2),
    away: 3 * Math.floor(index / 2),
  }));
  const end = { ...play.at(-1)!, at: startsAt + lengthMs, status: 'final' as const, clock: '0:00' };
  const prices = Array.from({ length: 8 }, (_, index) => ({
    at: startsAt - (8 - index) * 8 * MINUTE,
    home: -110 - 5 * index,
    away: 100 + 5 * index,
    homeBets: 50 + index,
  }));
  return { ...given, play: [...play, end], prices };
}
