import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventLines, EventStatistics } from '../../../../src/web/live/answers/live-page-answers.ts';
import { ATP, NBA, odds, schedule, score } from '../../../api/spec/messages.ts';
import { type LiveServer, serveLive } from '../serve-live-page.ts';

let server: LiveServer;
beforeEach(async () => {
  server = await serveLive();
});
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const at = (minute: number) => `2026-03-01T18:${String(minute).padStart(2, '0')}:00Z`;
const overUnder = (point: number, more = {}) =>
  (['over', 'under'] as const).map((outcome) => ({ outcome, price: -110, point, ...more }));
const HALF = { key: 'totals', scope: '1H', outcomes: overUnder(110.5) };
const PROP = { key: 'points', outcomes: overUnder(20.5, { player: 'Some One' }) };

async function aGame(): Promise<number> {
  await server.feed(
    schedule(NBA, 'a', ['Home', 'Away'], at(10), { at: at(0) }),
    odds('a', 'pinnacle', [HALF], { at: at(1) }),
    odds('a', 'fanduel', [PROP], { at: at(5) }),
    score('a', 'inprogress', ['3', '2'], { at: at(12), period: '1', clock: '11:00' }),
  );
  return server.eventId('a');
}

it('the lines of periods and players stand on the page as the API has them, with the names of the bookmakers', async () => {
  const id = await aGame();
  const lines = await server.get<EventLines>(`/live/events/${id}/lines`);

  expect(lines.period_odds).toMatchObject([{ scope: '1H', market: 'first_half_totals', line: 110.5, current: 5 }]);
  expect(lines.player_props).toMatchObject([{ player: 'Some One', market: 'points', line: 20.5 }]);
  expect(lines).toMatchObject({ event_id: id, as_of: null, team_props: [] });
  expect(Object.keys(lines.bookmakers).sort()).toEqual(['fanduel', 'pinnacle']);
  expect(lines.bookmakers['fanduel']).toBe('FanDuel');
});

it('they stand as they stood at a moment, and are unknown before there was an event', async () => {
  const id = await aGame();
  const before = await server.get<EventLines>(`/live/events/${id}/lines?as_of=${at(3)}`);

  expect(before.period_odds).toMatchObject([{ line: 110.5, current: null }]);
  expect(before.player_props).toEqual([]);
  expect((await server.ask(`/live/events/${id}/lines?as_of=2026-02-01T00:00:00Z`)).status).toBe(404);
  expect((await server.ask('/live/events/999/lines')).status).toBe(404);
  expect((await server.ask('/live/events/999/stats')).status).toBe(404);
});

it('a sport has those that it has, and no others', async () => {
  await server.feed(schedule(ATP, 't', ['One Player', 'Two Player'], at(10), { at: at(0) }));
  const lines = await server.get<EventLines>(`/live/events/${await server.eventId('t')}/lines`);

  expect([lines.period_odds, lines.team_props, lines.player_props]).toEqual([[], [], []]);
});

it('the statistics of both sides stand on the page as the API has them', async () => {
  await server.feed(
    schedule(NBA, 'old', ['Home', 'Away'], '2026-02-20T18:00:00Z', { at: '2026-02-19T00:00:00Z' }),
    score('old', 'final', ['90', '80'], { at: '2026-02-20T21:00:00Z' }),
  );
  const id = await aGame();
  const { teams } = await server.get<EventStatistics>(`/live/events/${id}/stats`);

  expect(teams?.home).toMatchObject({ name: 'Home', rest_days: 9, recent_form: { results: ['W'] } });
  expect(teams?.away).toMatchObject({ name: 'Away', recent_form: { results: ['L'] } });
});

it('neither is told to other sites', async () => {
  const id = await aGame();
  for (const path of ['lines', 'stats']) {
    const { status } = await server.ask(`/live/events/${id}/${path}`, { headers: { host: 'elsewhere.example' } });
    expect([path, status]).toEqual([path, 403]);
  }
});
