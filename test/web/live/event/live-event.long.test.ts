import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BoardEvent, EventSnapshot, Story } from '../../../../src/web/live/answers/live-page-answers.ts';
import { ATP, injury, type Message, market, NBA, odds, schedule, score, splits } from '../../../api/spec/messages.ts';
import { type LiveServer, serveLive } from '../serve-live-page.ts';

let server: LiveServer;
beforeEach(async () => {
  server = await serveLive();
});
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const at = (minute: number, second = 0) =>
  new Date(Date.parse('2026-03-01T17:00:00Z') + 60_000 * minute + 1000 * second).toISOString().replace('.000Z', 'Z');
const start = at(60);
const game = (more = {}) => schedule(NBA, 'a', ['Home', 'Away'], start, { at: at(0), ...more });
const h2h = (home: number, away: number) =>
  market('h2h', [
    ['home', home],
    ['away', away],
  ]);
const total = (price: number, point: number) =>
  market('totals', [
    ['over', price, point],
    ['under', -110, point],
  ]);

/** An event from its first schedule to a correction of its end, a message a minute. */
const STORY: readonly Message[] = [
  game(),
  odds('a', 'fanduel', [h2h(-120, 110), total(-110, 220.5)], { at: at(1) }),
  odds('a', 'pinnacle', [h2h(-125, 112)], { at: at(2) }),
  splits(
    'a',
    { moneyline: { home: { bets_pct: 60, handle_pct: 70 }, away: { bets_pct: 40, handle_pct: 30 } } },
    { at: at(3) },
  ),
  odds('a', 'pinnacle', [h2h(-130, 115)], { at: at(4) }),
  score('a', 'inprogress', ['0', '0'], { at: at(61), period: '1', clock: '12:00' }),
  score('a', 'inprogress', [{ score: '2', period_scores: [{ period: '1', score: 2 }] }, '0'], {
    at: at(62),
    period: '1',
    clock: '11:30',
  }),
  odds('a', 'pinnacle', [h2h(-150, 130)], { at: at(63) }),
  score('a', 'final', ['100', '99'], { at: at(64) }),
  score('a', 'final', ['100', '101'], { at: at(65) }),
];
const LATEST = at(70);

describe('an event on its own page', () => {
  it('is what the board shows, with what else is known', async () => {
    await server.feed(
      schedule(NBA, 'a', ['Home', 'Away'], start, { venue: { name: 'The Arena' }, round: 'Round 1', broadcast: 'TV' }),
      ...STORY.slice(1, 7).map((message) => ({ ...message, at: message['at'] })),
    );
    const id = await server.eventId('a');
    const moment = await server.get<EventSnapshot>(`/live/events/${id}`);
    expect([moment.event]).toEqual((await server.get('/live/board')).events);
    expect(moment).toMatchObject({
      as_of: null,
      detail: {
        venue: 'The Arena',
        round: 'Round 1',
        competition: null,
        broadcast: 'TV',
        scheduled_start_at: null,
      },
      event: { periods: [{ period: '1', scores: [null, 2] }] },
      splits: {
        captured_at: at(3),
        markets: [
          {
            market: 'moneyline',
            sides: [
              { side: 'home', bets_pct: 60, handle_pct: 70 },
              { side: 'away', bets_pct: 40, handle_pct: 30 },
            ],
          },
        ],
      },
    });
    expect(moment.odds.map(({ bookmaker, captured_at, markets }) => [bookmaker.slug, captured_at, markets])).toEqual([
      [
        'pinnacle',
        at(4),
        [
          {
            market: 'h2h',
            label: 'moneyline',
            outcomes: [
              { outcome: 'home', name: 'Home', price: -130, point: null },
              { outcome: 'away', name: 'Away', price: 115, point: null },
            ],
          },
        ],
      ],
      ['fanduel', at(1), [expect.objectContaining({ market: 'h2h' }), expect.objectContaining({ market: 'totals' })]],
    ]);
  });

  it('as of a moment is what the board showed then', async () => {
    server.clock.time = Date.parse(LATEST);
    const shown: { readonly moment: string; readonly event: BoardEvent }[] = [];
    for (const message of STORY) {
      await server.feed(message);
      const [event] = (await server.get('/live/board')).events;
      shown.push({ moment: String(message['at']), event: { ...event, position: '0' } });
    }
    const id = await server.eventId('a');
    for (const { moment, event } of shown) {
      // To the very time, and until the next message.
      const later = new Date(Date.parse(moment) + 59_000).toISOString();
      for (const as_of of [moment, later]) {
        const answer = await server.get<EventSnapshot>(`/live/events/${id}?as_of=${as_of}`);
        expect(answer.event).toEqual(event);
        expect(answer.as_of).toBe(as_of);
      }
    }
    expect(new Set(shown.map(({ event }) => JSON.stringify(event))).size).toBe(STORY.length - 1);
    expect((await server.ask(`/live/events/${id}?as_of=${at(-1)}`)).status).toBe(404);
  });
});

describe('the story of an event', () => {
  it('is everything that was observed, each entry with the state after it', async () => {
    await server.feed(...STORY);
    const story = await server.get<Story>(`/live/events/${await server.eventId('a')}/story`);
    expect(story).toMatchObject({ simulated: false, from: at(0), to: at(65), injuries: [] });
    expect(
      story.scores.map((point) => [point.at, point.status, point.period_label, point.clock, point.scores]),
    ).toEqual([
      [at(0), 'scheduled', null, null, [null, null]],
      [at(61), 'inprogress', '1st Quarter', '12:00', ['0', '0']],
      [at(62), 'inprogress', '1st Quarter', '11:30', ['0', '2']],
      [at(64), 'final', '1st Quarter', '11:30', ['99', '100']],
      // The correction.
      [at(65), 'final', '1st Quarter', '11:30', ['101', '100']],
    ]);
    const lines = story.lines.map(({ bookmaker, market: key, outcome, name, points }) => [
      `${bookmaker.slug} ${key} ${outcome} ${name}`,
      points.map((point) => [point.at, point.price, point.point]),
    ]);
    expect(lines).toEqual([
      [
        'pinnacle h2h home Home',
        [
          [at(2), -125, null],
          [at(4), -130, null],
          [at(63), -150, null],
        ],
      ],
      [
        'pinnacle h2h away Away',
        [
          [at(2), 112, null],
          [at(4), 115, null],
          [at(63), 130, null],
        ],
      ],
      ['fanduel h2h home Home', [[at(1), -120, null]]],
      ['fanduel h2h away Away', [[at(1), 110, null]]],
      ['fanduel totals over Over', [[at(1), -110, 220.5]]],
      ['fanduel totals under Under', [[at(1), -110, 220.5]]],
    ]);
  });

  it('is the same whatever order its messages came in', async () => {
    await server.feed(...STORY);
    const path = async () => `/live/events/${await server.eventId('a')}/story`;
    const inOrder = await server.get<Story>(await path());
    await server.close();
    server = await serveLive();
    await server.feed(STORY[0]!, ...STORY.slice(1, 9).reverse(), STORY[9]!);
    expect(await server.get(await path())).toEqual(inOrder);
  });

  it('tells changes of a player’s status, from its first moment to its end', async () => {
    await server.feed(
      game(),
      injury(NBA, 'Home', 'Old News', 'out', { at: at(-10) }),
      injury(NBA, 'Home', 'One Player', 'questionable', { at: at(5) }),
      injury(NBA, 'Home', 'One Player', 'questionable', { at: at(6), note: 'still' }),
      injury(NBA, 'Away', 'Other Player', 'out', { at: at(7) }),
      injury(NBA, 'Home', 'One Player', 'out', { at: at(8) }),
      score('a', 'final', ['1', '0'], { at: at(64) }),
      injury(NBA, 'Home', 'One Player', 'ir', { at: at(66) }),
    );
    const { injuries, to } = await server.get<Story>(`/live/events/${await server.eventId('a')}/story`);
    expect(injuries).toEqual([
      { at: at(5), player: 'One Player', team: 'Home', status: 'questionable' },
      { at: at(7), player: 'Other Player', team: 'Away', status: 'out' },
      { at: at(8), player: 'One Player', team: 'Home', status: 'out' },
    ]);
    expect(to).toBe(at(64));
  });

  it('has at most 400 points a line, the first and the last among them', async () => {
    const prices = Array.from({ length: 1000 }, (_, index) =>
      odds('a', 'fanduel', [market('h2h', [['home', 101 + index]])], { at: at(0, index) }),
    );
    await server.feed(game(), ...prices);
    const { lines } = await server.get<Story>(`/live/events/${await server.eventId('a')}/story`);
    const { points } = lines[0]!;
    expect(points.length).toBeLessThanOrEqual(400);
    expect([points[0]!.price, points.at(-1)!.price]).toEqual([101, 1100]);
  });

  it('has the sides of tennis in their own order', async () => {
    await server.feed(
      schedule(ATP, 't', ['Ann One', 'Bea Two'], start, { at: at(0) }),
      score('t', 'inprogress', ['6', '4'], { at: at(61), sport: 'tennis' }),
    );
    const { scores } = await server.get<Story>(`/live/events/${await server.eventId('t')}/story`);
    expect(scores.at(-1)!.scores).toEqual(['6', '4']);
  });

  it('says that it is simulated when the demo told any of it', async () => {
    const { ref: _, ...priced } = odds('a', 'fanduel', [h2h(-120, 110)], { at: at(1), source: 'demo' });
    const match = { sport: 'nba', league: 'nba', home: 'Home', away: 'Away', starts_at: start };
    await server.feed(game(), { ...priced, kind: 'odds', match });
    expect(await server.get(`/live/events/${await server.eventId('a')}/story`)).toMatchObject({ simulated: true });
  });
});
