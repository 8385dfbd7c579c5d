import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddedLeague, AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../../src/domain/catalogue/built-in-sports.ts';
import { type AgentServer, BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { asking } from '../../api/compat/odds-api-client.ts';
import { type Message, market, type Outcome, odds, schedule, score } from '../../api/spec/messages.ts';
import { describeLeagues } from './league.contract.ts';
import { EXAMPLE_LEAGUES, serveWithLeagues } from './serve-with-leagues.ts';

const NOW = Date.parse('2026-08-10T12:00:00Z');
const START = '2026-08-10T15:00:00Z';
const DAY = 86_400_000;
const RESULTS = 110;
const LIKES = ['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'soccer'] as const satisfies readonly SportSlug[];
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

const leagueOf = (name: string, sport: AddedLeague['sport']): AddedLeague => ({
  sport,
  name,
  season: { start_month: 1, year_name: 'start' },
  format: { title: 'table', games: 20, promoted: 1, relegated: 1, playoffs: { places: 2 } },
});
/** For each sport two leagues: one of the sport itself, and one of a sport that plays like it. */
const leagues: AddedLeagues = Object.fromEntries(
  LIKES.flatMap((like) => [
    [`in_${like}`, leagueOf(`One ${like}`, like)],
    [`of_${like}`, leagueOf(`Other ${like}`, { slug: `as_${like}`, like })],
  ]),
);

describe('the other team leagues of the docs as sports of their own', () => {
  const own = Object.entries(EXAMPLE_LEAGUES).flatMap(([slug, league]) =>
    typeof league.sport !== 'string' || league.sport === 'tennis'
      ? []
      : [[slug, { ...league, sport: { slug, like: league.sport } }] as const],
  );
  describeLeagues(Object.fromEntries(own));
});

const HALVES = { nfl: 4, ncaaf: 4, nba: 4, ncaab: 2, mlb: 9, nhl: 3, soccer: 2 };
const SIDES = ['Harbour', 'Mill', 'Ridge', 'Castle', 'Meadow', 'Quarry'];

function periodsOf(like: (typeof LIKES)[number], points: readonly number[]) {
  const names = Array.from({ length: HALVES[like] }, (_, n) =>
    like === 'soccer' || like === 'ncaab' ? `${n + 1}H` : String(n + 1),
  );
  return names.map((period, n) => ({ period, score: points[n] ?? 0 }));
}

/** A season of results with boxes, and a game that is played with all that a feed can say of it. */
function storyOf(
  like: (typeof LIKES)[number],
  sport: string,
  league: string,
  stats: { readonly team: readonly string[]; readonly player: readonly string[] },
): { before: Message[]; live: Message[]; after: Message[] } {
  const numbers = (names: readonly string[], n: number) =>
    Object.fromEntries(names.map((name, index) => [name, 3 + ((index * 7 + n) % 11)]));
  const box = (ref: string, n: number, at: string): Message => ({
    kind: 'box',
    source: 'feed',
    at,
    ref,
    final: true,
    teams: { home: numbers(stats.team, n), away: numbers(stats.team, n + 3) },
    players: [
      { ref: `${league} p1`, name: 'Kim Arnold', role: 'home', starter: true, stats: numbers(stats.player, n) },
      { ref: `${league} p2`, name: 'Lee Barton', role: 'away', starter: true, stats: numbers(stats.player, n + 5) },
    ],
  });
  const scoresOf = (n: number) =>
    [
      { score: String(3 + (n % 3)), period_scores: periodsOf(like, [1, 2 + (n % 3)]) },
      { score: String(2 + (n % 4)), period_scores: periodsOf(like, [2, n % 4]) },
    ] as const;
  const past = Array.from({ length: RESULTS }, (_, n): Message[] => {
    const startsAt = NOW - (RESULTS + 2 - n) * DAY;
    const ref = `${league} ${n}`;
    const [home, away] = n % 2 === 0 ? [0, 1] : [2 + (n % 4), (2 + (n % 4) + 1) % 6];
    const at = iso(startsAt + DAY / 8);
    const isLevel = scoresOf(n)[0].score === scoresOf(n)[1].score;
    return [
      schedule({ sport, league }, ref, [SIDES[home!]!, SIDES[away!]!], iso(startsAt), { at: iso(startsAt - DAY) }),
      score(ref, 'final', [...scoresOf(n)], { at, result_type: !isLevel && n % 5 === 0 ? 'overtime' : 'regulation' }),
      ...(n % 2 === 0 ? [box(ref, n, at)] : []),
    ];
  }).flat();
  const prices: Outcome[] = [
    ['home', -120],
    ['away', 110],
  ];
  if (like === 'soccer') prices.push(['draw', 240]);
  const handicaps: Outcome[] = [
    ['home', -110, -1.5],
    ['away', -110, 1.5],
  ];
  const totals: Outcome[] = [
    ['over', -110, 5.5],
    ['under', -110, 5.5],
  ];
  const ref = `${league} next`;
  const game = [
    schedule({ sport, league }, ref, ['Harbour', 'Mill'], START, { at: '2026-08-10T10:00:00Z' }),
    odds(ref, 'pinnacle', [market('h2h', prices), market('spreads', handicaps), market('totals', totals)], {
      at: '2026-08-10T11:00:00Z',
    }),
  ];
  return {
    before: [...past, ...game],
    live: [
      score(ref, 'inprogress', [{ score: '3' }, { score: '1' }], {
        at: '2026-08-10T16:00:00Z',
        period: like === 'mlb' ? 'Top 3' : like === 'soccer' || like === 'ncaab' ? '1H' : '2',
        clock: '5:00',
      }),
    ],
    after: [
      score(ref, 'final', [...scoresOf(1)], { at: '2026-08-10T18:00:00Z', result_type: 'regulation' }),
      box(ref, 4, '2026-08-10T18:00:00Z'),
    ],
  };
}

/** Without ids and without what the two leagues are called, which is all that may differ. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value) => (/(^|_)ids?$|^(receipt|position)$/.test(key) ? undefined : value))
      .replaceAll(/\b(in|of|as)_(?:nfl|nba|mlb|nhl|ncaaf|ncaab|soccer)\b/g, 'X')
      .replaceAll(/Team totals of [a-z]+ are/g, 'Team totals of X are')
      .replaceAll(/"sport":"[a-z]+"/g, '"sport":"X"')
      .replaceAll(/\b(One|Other) (?=nfl|nba|mlb|nhl|ncaaf|ncaab|soccer)/g, ''),
  );

let isLoaded = false;
/** The modules are loaded once for all of these servers, which takes longer than a server does. */
async function serveLoaded(): Promise<AgentServer> {
  if (!isLoaded) {
    isLoaded = true;
    return serveWithLeagues(leagues, { time: NOW });
  }
  return (await import('../../api/agent/serving.ts')).serveAgent({ time: NOW });
}

describe.each(LIKES)('given a sport of its own that plays like %s', (like) => {
  let server: AgentServer;
  const games: { league: string; sport: string; id: number }[] = [];
  const stories: ReturnType<typeof storyOf>[] = [];

  beforeAll(async () => {
    const [one, other] = [`in_${like}`, `of_${like}`];
    server = await serveLoaded();
    const { playerStatisticNames, teamStatisticNames } = await import(
      '../../../src/domain/statistics/statistics-catalogue.ts'
    );
    const stats = { team: teamStatisticNames(like), player: playerStatisticNames(like) };
    for (const [league, sport] of [
      [one, like],
      [other, `as_${like}`],
    ] as const) {
      const story = storyOf(like, sport, league, stats);
      stories.push(story);
      await server.feed(...story.before);
      games.push({ league, sport, id: await server.eventId('feed', `${league} next`) });
    }
  });
  afterAll(() => server.close());

  /** Asks the same of both games. */
  async function bothSame(path: (game: (typeof games)[number]) => string, key?: string): Promise<any> {
    const answers = [];
    for (const game of games) answers.push(await server.get(path(game), key));
    expect(comparable(answers[1])).toEqual(comparable(answers[0]));
    return answers[0];
  }
  const bothPost = async (path: string, body: (game: (typeof games)[number]) => unknown): Promise<any> => {
    const answers = [];
    for (const game of games) {
      const { status, body: answer } = await server.post(path, body(game));
      answers.push([status, answer]);
    }
    expect(comparable(answers[1])).toEqual(comparable(answers[0]));
    return answers[0]![1];
  };

  it('then before the start answers are those of the sport', async () => {
    await bothSame(({ id }) => `/v1/events/${id}?include_odds=true&bookmaker=pinnacle`);
    await bothSame(({ id }) => `/v1/events/${id}/odds?bookmaker=pinnacle`);
    await bothSame(({ id }) => `/v1/events/${id}/stats`);
    const { bets } = await bothSame(({ id }) => `/v1/events/${id}/intelligence`, BOOTSTRAP_KEY);
    expect(bets.some(({ probability }: any) => probability !== null)).toBe(true);
    await bothSame(({ league }) => `/v1/leagues/${league}/standings`);
    await bothSame(({ sport }) => `/v1/intelligence/ev?sport=${sport}`, BOOTSTRAP_KEY);
    await bothSame(({ sport }) => `/v1/intelligence/forecasts?sport=${sport}&date=2026-08-10`, BOOTSTRAP_KEY);
  });

  it('then the rest of its season is played, and ends as the file says', async () => {
    for (const { league } of games) {
      const { available, reason, games_left, rows } = await server.get(`/v1/leagues/${league}/projections`);
      expect([available, reason, games_left, rows.length]).toEqual([true, null, 1, 5]);
      const ends = ['title', 'promotion', 'playoffs', 'relegation'];
      const sums = ends.map((end) => rows.reduce((sum: number, row: any) => sum + row[end], 0));
      // The winner of the playoffs goes up too.
      expect(sums.map((sum) => Math.round(100 * sum) / 100)).toEqual([1, 2, 2, 1]);
      expect(rows[0].market).toEqual({ title: null, playoffs: null, relegation: null, promotion: null });
    }
  });

  it('then during the game too', async () => {
    server.clock.time = Date.parse('2026-08-10T16:00:10Z');
    for (const { live } of stories) await server.feed(...live);
    await bothSame(({ id }) => `/v1/events/${id}`);
    await bothSame(({ id }) => `/v1/events/${id}/score`);
  });

  it('then after it, with its box and its slips', async () => {
    server.clock.time = Date.parse('2026-08-10T20:00:00Z');
    for (const { after } of stories) await server.feed(...after);
    await bothSame(({ id }) => `/v1/events/${id}/stats`);
    await bothSame(({ id }) => `/v1/events/${id}`);
    for (const text of [
      'Harbour ML',
      'Mill +1.5',
      'Harbour Mill over 5.5',
      'Harbour -1.25',
      'Harbour team total over 2.5',
      'Kim Arnold over 2.5 points',
      'Kim Arnold over 2.5 shots on target',
      'Kim Arnold over 2.5 hits',
      'Kim Arnold over 2.5 rushing yards',
      'Harbour over 2.5 goals',
      'Harbour 1H ML',
    ]) {
      await bothPost('/v1/grade/slip', ({ sport }) => ({ text: `${text} 2026-08-10`, clues: { sport } }));
    }
    const graded = await bothPost('/v1/grade/slip', ({ sport }) => ({
      text: 'Harbour ML 2026-08-10',
      clues: { sport },
    }));
    expect(JSON.stringify(graded)).toMatch(/"(won|lost|push)"/);
  });

  it('then it stands among the sports, with its league, its compatible key, and as a scope of keys', async () => {
    const { sports } = await server.get('/v1/sports');
    const listed = sports.find(({ slug }: any) => slug === `as_${like}`);
    expect(listed.leagues.map(({ slug }: any) => slug)).toEqual([`of_${like}`]);
    const keys = (await asking(server)('/sports', { all: 'true' })).body as any[];
    const group = (name: string) => keys.find(({ description }) => description === name).group;
    expect(group(`Other ${like}`)).toBe(group(`One ${like}`));
    const { key } = await server.newKey({ scopes: [`as_${like}`] } as any);
    expect((await server.ask(`/v1/events/${games[1]!.id}`, { key })).status).toBe(200);
    expect((await server.ask(`/v1/events/${games[0]!.id}`, { key })).status).toBe(403);
  });
});
