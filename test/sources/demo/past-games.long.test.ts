import { describe, expect, it } from 'vitest';
import { SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { countTrackRecord } from '../../../src/forecasting/track-record/count-track-record.ts';
import { DEMO_LEAGUES } from '../../../src/sources/demo/fixtures/demo-leagues.ts';
import { pastGames } from '../../../src/sources/demo/past-games.ts';
import { withServer } from '../../system/properties/small-server.ts';

const BEFORE = Date.parse('2026-03-01T00:00:00Z');
const PAST = { seed: 3, before: BEFORE };
const games = [...pastGames(PAST)];
const messages = games.flatMap((game) => game.map(({ message }) => message));
const BATCH = 500;

describe('the days before the demo’s first', () => {
  it('are the same bytes for the same seed and day, and others for another seed', () => {
    expect(JSON.stringify([...pastGames(PAST)])).toBe(JSON.stringify(games));
    expect(JSON.stringify([...pastGames({ ...PAST, seed: 4 })])).not.toBe(JSON.stringify(games));
  });

  it('have 200 games of each league, of which each ends before the first day, and nothing of their course', () => {
    for (const { slug } of DEMO_LEAGUES) {
      const own = games.filter(([first]) => first!.message['league'] === slug);
      expect([slug, own.length]).toEqual([slug, 200]);
      for (const game of own) {
        expect(game.map(({ message }) => message['kind'])).toEqual(['schedule', 'odds', 'odds', 'score']);
        expect(game[3]!.message['status']).toBe('final');
        const times = game.map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times[3]).toBeLessThan(BEFORE);
      }
    }
  });

  it('are taken as they are, only once, and at least 200 of their games have a forecast beside the close', async () => {
    await withServer({ time: BEFORE + DAY / 2 }, async (server) => {
      const statuses = new Set<string>();
      for (const status of ['accepted', 'unchanged']) {
        for (let from = 0; from < messages.length; from += BATCH)
          for (const outcome of await server.accept(messages.slice(from, from + BATCH))) statuses.add(outcome.status);
        expect([...statuses]).toEqual([status]);
        statuses.clear();
      }
      expect(await server.waiting()).toEqual([]);

      const weightOf = (book: string) => SHARP_BOOK_WEIGHTS[book] ?? 0;
      const { sports } = await countTrackRecord(server.log, { until: BEFORE, weightOf });
      const judged = Object.values(sports).flatMap(({ h2h }) => h2h.rows);
      expect(judged.reduce((sum, { close }) => sum + (close?.n ?? 0), 0)).toBeGreaterThan(200);
      for (const sport of Object.values(sports)) expect(sport.h2h.rows.length).toBeGreaterThan(0);
    });
  });
});
