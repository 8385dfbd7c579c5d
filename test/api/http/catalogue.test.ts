import { afterEach, describe, expect, it } from 'vitest';
import { events } from '../../../projections/sports-events/events.ts';
import { seasons } from '../../../projections/sports-events/seasons.ts';
import { getHealth } from '../../../src/api/operations/catalogue/get-health.ts';
import { listSports } from '../../../src/api/operations/catalogue/list-sports.ts';
import { SPORT_SLUGS } from '../../../src/domain/catalogue/catalogue.ts';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { type Served, START, serve } from './serving.ts';

let served: Served;
afterEach(() => served.close());

/** A server that knows of one event for each entry. */
async function given(...known: readonly { readonly sport: string; readonly startsAt: number }[]): Promise<void> {
  const store = createMemoryStore();
  for (const projection of [events, seasons]) await store.prepare(projection, 'v1');
  const writes = known.map(({ sport, startsAt }, index) => ({
    key: String(index + 1),
    document: {
      id: index + 1,
      sport,
      league: sport,
      event: { schedule: { starts_at: new Date(startsAt).toISOString() } },
    },
    position: 1n,
  }));
  if (writes.length > 0) {
    await store.commit([
      { projection: 'events', generation: 'v1', partition: ONE_PARTITION, writes, expected: null, checkpoint: 1n },
    ]);
  }
  served = await serve({ operations: [getHealth, listSports], context: { store } });
}

const slugs = async (path: string, key = served.key) => {
  const response = await served.fetch(path, { headers: { authorization: `Bearer ${key}` } });
  const { sports, total } = (await response.json()) as { sports: { slug: string }[]; total: number };
  expect(total).toBe(sports.length);
  return sports.map(({ slug }) => slug);
};

describe('GET /v1/sports', () => {
  it('holds every sport while there are no events at all', async () => {
    await given();
    expect(await slugs('/v1/sports')).toEqual(SPORT_SLUGS);
  });

  it('holds the sports with an event within 180 days either way', async () => {
    await given(
      { sport: 'nba', startsAt: START - 180 * DAY },
      { sport: 'nhl', startsAt: START + 180 * DAY },
      { sport: 'mlb', startsAt: START - 180 * DAY - 1 },
      { sport: 'nfl', startsAt: START + 180 * DAY + 1 },
    );
    expect(await slugs('/v1/sports')).toEqual(['nba', 'nhl']);
    expect(await slugs('/v1/sports?active_only=false')).toEqual(SPORT_SLUGS);
  });

  it('holds none where all events are far away', async () => {
    await given({ sport: 'nba', startsAt: START - 400 * DAY });
    expect(await slugs('/v1/sports')).toEqual([]);
  });

  it('holds the granted sports only', async () => {
    await given();
    const { key } = await served.newKey({ scopes: ['tennis', 'mlb'] });
    expect(await slugs('/v1/sports', key)).toEqual(['mlb', 'tennis']);
  });

  it('shows a sport with its leagues', async () => {
    await given();
    const response = await served.fetch('/v1/sports');
    const { sports } = (await response.json()) as { sports: any[] };
    expect(sports.find(({ slug }) => slug === 'nba')).toEqual({
      id: 2,
      slug: 'nba',
      name: 'Basketball',
      is_team_sport: true,
      leagues: [
        {
          id: 2,
          slug: 'nba',
          name: 'National Basketball Association',
          abbreviation: 'NBA',
          league_type: 'team_league',
          country_code: 'USA',
          current_season: null,
        },
      ],
    });
    expect(response.headers.get('x-credits-used')).toBe('1');
    for (const sport of sports) expect(listSports.output.safeParse({ sports: [sport], total: 1 }).success).toBe(true);
  });
});

describe('GET /v1/health', () => {
  it('is free, and needs a key', async () => {
    await given();
    const response = await served.fetch('/v1/health');
    expect([response.status, response.headers.get('x-credits-used')]).toEqual([200, '0']);
    expect(await response.json()).toEqual({
      status: 'ok',
      version: '0.0.0',
      time: '2026-03-01T12:00:00.000Z',
      log: { position: '0' },
      quarantined: 0,
      projections: [{ name: 'forecasts', position: '0', lag_events: 0, lag_seconds: 0 }],
    });
    expect((await fetch(`${served.url}/v1/health`)).status).toBe(401);
  });
});
