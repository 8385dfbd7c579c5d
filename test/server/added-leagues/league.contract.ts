import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import { type AgentServer, BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { asking } from '../../api/compat/odds-api-client.ts';
import { type Message, market, type Outcome, odds, schedule, score } from '../../api/spec/messages.ts';
import { serveWithLeagues } from './serve-with-leagues.ts';

const NOW = Date.parse('2026-08-10T12:00:00Z');
const START = '2026-08-10T15:00:00Z';
const OVER = Date.parse('2026-08-10T20:00:00Z');
const HOUR = 3_600_000;
/** A league's forecasts begin with its hundredth result. */
const RESULTS = 110;

const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

const SURNAMES = ['Novak', 'Lindt', 'Moreau', 'Okafor', 'Brandt', 'Silva'];
const PLACES = ['Harbour', 'Mill', 'Ridge', 'Castle', 'Meadow', 'Quarry'];

/** What the server does with each league of a file: a whole game, after a season of others. */
export function describeLeagues(leagues: AddedLeagues): void {
  const slugs = Object.keys(leagues).sort();
  const sportOf = (slug: string): string => {
    const { sport } = leagues[slug]!;
    return typeof sport === 'string' ? sport : sport.slug;
  };
  const likeOf = (slug: string): string => {
    const { sport } = leagues[slug]!;
    return typeof sport === 'string' ? sport : sport.like;
  };
  const isSets = (slug: string) => sportOf(slug) === 'tennis';
  const sideOf = (slug: string, index: number) =>
    isSets(slug) ? `Ada ${SURNAMES[index]}` : `${slug.replaceAll('_', ' ')} ${PLACES[index]}`;

  const competition = (slug: string) => (isSets(slug) ? { competition: { name: 'Lugano Challenger' } } : {});
  const scores = (slug: string, isHomeWin = true): [any, any] => {
    const won = isSets(slug) ? { score: '2', sets: [6, 6] } : { score: '3' };
    const lost = isSets(slug) ? { score: '0', sets: [3, 4] } : { score: '1' };
    return isHomeWin ? [won, lost] : [lost, won];
  };

  /** Finished games of the six sides against each other, a day apart. */
  function resultsOf(slug: string): Message[] {
    const sport = sportOf(slug);
    return Array.from({ length: RESULTS }, (_, n): Message[] => {
      const startsAt = NOW - (RESULTS + 2 - n) * 24 * HOUR;
      const home = n % 6;
      const away = (home + 1 + (n % 5)) % 6;
      const ref = `${slug}-${n}`;
      const sides = [sideOf(slug, home), sideOf(slug, away)] as const;
      return [
        schedule({ sport, league: slug }, ref, sides, iso(startsAt), {
          at: iso(startsAt - 24 * HOUR),
          ...competition(slug),
        }),
        score(ref, 'final', scores(slug, home < away), { sport, at: iso(startsAt + 3 * HOUR) }),
      ];
    }).flat();
  }

  function gameOf(slug: string): Message[] {
    const sport = sportOf(slug);
    const roles = isSets(slug) ? ['player_1', 'player_2'] : ['home', 'away'];
    const prices: Outcome[] = [
      [roles[0]!, -120],
      [roles[1]!, 110],
    ];
    if (likeOf(slug) === 'soccer') prices.push(['draw', 240]);
    return [
      schedule({ sport, league: slug }, slug, [sideOf(slug, 0), sideOf(slug, 1)], START, {
        at: '2026-08-10T10:00:00Z',
        ...competition(slug),
      }),
      odds(slug, 'pinnacle', [market('h2h', prices)], { at: '2026-08-10T11:00:00Z' }),
    ];
  }

  let server: AgentServer;
  const events: Record<string, number> = {};

  beforeAll(async () => {
    server = await serveWithLeagues(leagues, { time: NOW, livePage: true });
    for (const slug of slugs) {
      await server.feed(...resultsOf(slug));
      await server.feed(...gameOf(slug));
      events[slug] = await server.eventId('feed', slug);
    }
  });
  afterAll(() => server.close());

  it('are listed under their sports', async () => {
    const { sports } = await server.get('/v1/sports');
    const listed = sports.flatMap((sport: any) => sport.leagues.map(({ slug }: any) => [sport.slug, slug]));
    for (const slug of slugs) expect(listed).toContainEqual([sportOf(slug), slug]);
  });

  it('name their seasons as their files say', async () => {
    const { seasons } = await server.get('/v1/seasons?current_only=false');
    const names = seasons.map((season: any) => `${season.league.slug} ${season.name}`);
    const wanted = slugs.map((slug) => {
      const { start_month, year_name } = leagues[slug]!.season;
      const year = start_month <= 8 ? 2026 : 2025;
      return `${slug} ${{ start: year, end: year + 1, span: `${year}-${year - 1999}` }[year_name]}`;
    });
    expect(names).toEqual(expect.arrayContaining(wanted));
  });

  describe.each(slugs)('given a game of %s', (slug) => {
    const path = () => `/v1/events/${events[slug]}`;

    it('then it is listed, with its odds', async () => {
      const event = await server.get(`${path()}?include_odds=true&bookmaker=pinnacle`);
      expect(event).toMatchObject({ id: events[slug], league: slug, sport: sportOf(slug), status: 'scheduled' });
      expect(event.odds).toMatchObject({ available: true });
      const list = await server.get(`/v1/events?league=${slug}&date=2026-08-10`);
      expect(list.events.map(({ id }: any) => id)).toEqual([events[slug]]);
    });

    it('then it has a forecast, learnt from results of its league', async () => {
      const { bets } = await server.get(`${path()}/intelligence`, BOOTSTRAP_KEY);
      const chances = bets
        .filter(({ bet_type }: any) => bet_type.startsWith('ML_'))
        .map(({ probability }: any) => probability);
      expect(chances).toHaveLength(likeOf(slug) === 'soccer' ? 3 : 2);
      expect(chances.reduce((sum: number, chance: number) => sum + chance, 0)).toBeCloseTo(1, 4);
    });

    it('then statistics count the results before it', async () => {
      const stats = await server.get(`${path()}/stats`);
      expect(JSON.stringify(stats)).toMatch(/"(wins|w)":[1-9]/);
    });

    it('then its compatible key has it', async () => {
      const ask = asking(server);
      const keys = (await ask('/sports', { all: 'true' })).body as any[];
      const { key } = keys.find(({ description }) => description === leagues[slug]!.name)!;
      const given = leagues[slug]!.providers?.the_odds_api;
      if (given !== undefined) expect(key).toBe(given);
      const { body } = await ask(`/sports/${key}/odds`, { regions: 'eu' });
      expect(body).toMatchObject([{ sport_key: key, home_team: sideOf(slug, 0) }]);
    });

    it('then a question by the name of the league finds it', async () => {
      const { body } = await server.post('/v1/query', { query: `${leagues[slug]!.name} 2026-08-10` });
      expect(body.events.map(({ id }: any) => id)).toEqual([events[slug]]);
    });

    it('then the live page has it, under its league', async () => {
      const answer = await fetch(`${server.url}/live/board?date=2026-08-10`);
      const board: any = await answer.json();
      const listed = board.sports.find((sport: any) => sport.slug === sportOf(slug)).leagues;
      expect(listed).toContainEqual(expect.objectContaining({ slug, name: leagues[slug]!.name }));
      expect(board.events.filter(({ league }: any) => league === slug)).toMatchObject([{ id: events[slug] }]);
    });

    it('then it is played, and a slip of it is graded', async () => {
      const sport = sportOf(slug);
      server.clock.time = OVER - HOUR;
      await server.feed(score(slug, 'inprogress', scores(slug), { sport, at: '2026-08-10T16:00:00Z' }));
      expect((await server.get(path())).status).toBe('inprogress');
      server.clock.time = OVER;
      await server.feed(score(slug, 'final', scores(slug), { sport, at: '2026-08-10T18:00:00Z' }));
      expect((await server.get(path())).status).toBe('final');
      const slip = await server.post('/v1/grade/slip', { text: `${sideOf(slug, 0)} ML 2026-08-10` });
      expect(JSON.stringify(slip.body)).toContain('"won"');
      server.clock.time = NOW;
    });

    it('then its standings have all six sides, and their projections say why there are none, unless it is played by players', async () => {
      const { status, body } = await server.ask(`/v1/leagues/${slug}/standings`);
      if (isSets(slug)) return;
      expect(status).toBe(200);
      expect(body.groups[0].rows).toHaveLength(6);
      // What a table decides is known where the file says it; here not all teams of the format are.
      const { reason } = await server.get(`/v1/leagues/${slug}/projections`);
      expect(reason).toBe(leagues[slug]!.format ? 'schedule_incomplete' : 'format_unknown');
    });
  });
}
