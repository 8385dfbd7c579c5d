import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { players } from '../../projections/directory/players.ts';
import { corrections } from '../../projections/sports-events/corrections.ts';
import { events } from '../../projections/sports-events/events.ts';
import type { Query } from '../../src/read-models/store/read-store.ts';
import { openSqliteStore, type SqliteStore } from '../../src/read-models/store/sqlite/sqlite-store.ts';

let store: SqliteStore;
beforeAll(async () => {
  store = openSqliteStore({ file: ':memory:' });
  await store.prepare(events, 'v1');
  await store.prepare(players, 'v1');
  await store.prepare(corrections, 'v1');
});
afterAll(() => store.close());

const ordered = { order: { field: 'starts_at', direction: 'asc' }, limit: 26 } as const;
const range = { field: 'starts_at', from: 1, to: 9 };
const after = { value: 5, id: 1 };

/** The filters of clients, and the values by which the index must be entered. */
const FILTERS: readonly [string, NonNullable<Query['where']>, string[]][] = [
  ['sport', { sport: 'nfl' }, ['f_sport']],
  ['league', { sport: 'soccer', league: 'epl' }, ['f_league']],
  ['status', { status: 'inprogress' }, ['f_status']],
  ['sport and status', { sport: 'nfl', status: 'final' }, ['f_sport', 'f_status']],
  ['league and status', { sport: 'soccer', league: 'epl', status: 'final' }, ['f_league', 'f_status']],
  ['season', { season_id: 12024 }, ['f_season_id']],
  ['team', { team_ids: 5 }, ['value']],
  ['team and season', { team_ids: 5, season_id: 12024 }, ['value', 'f_season_id']],
  ['team and status', { team_ids: 5, status: 'scheduled' }, ['value', 'f_status']],
];

describe('the list of events, at any size', () => {
  it.each(FILTERS)(
    'by %s: walks an index in the order of the answer, from where the answer begins',
    (_, where, fields) => {
      const plan = (query: Partial<Query>) => store.explain('events', { where, ...ordered, ...query });
      const entered = fields.map((field) => `${field}=\\?`).join(' AND ');
      for (const [query, place] of [
        [{}, ''],
        [{ range }, ' AND f_starts_at>\\? AND f_starts_at<\\?'],
        [{ after }, ' AND \\(f_starts_at,id\\)>\\(\\?,\\?\\)'],
        [{ range, after }, ' AND \\(f_starts_at,id\\)>\\(\\?,\\?\\) AND f_starts_at<\\?'],
      ] as const) {
        const [only, ...more] = plan(query);
        expect(more).toEqual([]);
        expect(only).toMatch(new RegExp(`^SEARCH [ds] USING (COVERING )?INDEX \\S+ \\(${entered}${place}\\)`));
        expect(only).not.toContain('TEMP B-TREE');
      }
    },
  );
});

describe('the players of an event, with a directory of any size', () => {
  it.each(['refs', 'names'])('by %s: found by the index, also many at once', (field) => {
    for (const count of [1, 40, 400]) {
      const where = { [field]: Array.from({ length: count }, (_, index) => `nfl:${index}`) };
      const plan = store.explain('players', { where, limit: 10_000 });
      expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual([]);
      expect(plan.join(' ')).toContain('(value=?');
    }
  });
});

describe('the list of corrections, at any size', () => {
  const FIELDS: readonly [string, NonNullable<Query['where']>, string[]][] = [
    ['day', {}, ['f_day']],
    ['field', { field: 'score' }, ['f_field', 'f_day']],
    ['sport', { sport: ['nfl'] }, ['f_sport', 'f_day']],
    ['sports', { sport: ['nfl', 'nba'] }, ['f_sport', 'f_day']],
    ['sport and field', { sport: ['nfl'], field: 'score' }, ['f_sport', 'f_field', 'f_day']],
    ['league', { league: 'epl' }, ['f_league', 'f_day']],
    ['league and field', { league: 'epl', field: 'score' }, ['f_league', 'f_field', 'f_day']],
    ['event', { event_id: 5 }, ['f_event_id', 'f_day']],
    ['event and field', { event_id: 5, field: 'score' }, ['f_event_id', 'f_field', 'f_day']],
  ];
  it.each(FIELDS)('by %s: walks an index of each day in the order of ids', (_, where, fields) => {
    const entered = fields.map((field) => `${field}=\\?`).join(' AND ');
    for (const [more, place] of [
      [{}, ''],
      [{ after: { value: null, id: 9 } }, ' AND id>\\?'],
    ] as const) {
      const plan = store.explain('corrections', {
        where: { ...where, day: ['2026-01-01', '2026-01-02'] },
        ...more,
        limit: 26,
      });
      expect(plan).toHaveLength(2 * [where['sport'] ?? 1].flat().length);
      for (const step of plan) {
        expect(step).toMatch(new RegExp(`^SEARCH d USING INDEX \\S+ \\(${entered}${place}\\)`));
      }
    }
  });
});
