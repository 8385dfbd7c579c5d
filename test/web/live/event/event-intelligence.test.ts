import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventIntelligence, EventProbabilities } from '../../../../src/web/live/answers/live-page-intelligence.ts';
import { market, NBA, odds, schedule, score } from '../../../api/spec/messages.ts';
import {
  endOf,
  HOUR,
  iso,
  messagesOf,
  pricesOf,
  refOf,
  scheduleOf,
} from '../../../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from '../../../intelligence/seasons.ts';
import { type LiveServer, serveLive } from '../serve-live-page.ts';

let server: LiveServer;
beforeEach(async () => {
  server = await serveLive();
});
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const at = (hour: string) => `2026-03-01T${hour}:00Z`;
const moneyline = (book: string, home: number, away: number, time: string) =>
  odds(
    'a',
    book,
    [
      market('h2h', [
        ['home', home],
        ['away', away],
      ]),
    ],
    { at: at(time) },
  );
const intelligence = (id: number, query = '') =>
  server.get<EventIntelligence>(`/live/events/${id}/intelligence${query}`);
const probabilities = (id: number) => server.get<EventProbabilities>(`/live/events/${id}/probabilities`);

describe('an event without earlier results', () => {
  beforeEach(async () => {
    await server.feed(
      schedule(NBA, 'a', ['Home', 'Away'], at('19:00'), { at: at('10:00') }),
      moneyline('pinnacle', -110, -110, '17:00'),
      moneyline('fanduel', 120, -140, '17:30'),
      moneyline('pinnacle', -150, 130, '18:00'),
      moneyline('pinnacle', -150, 130, '18:30'),
      score('a', 'inprogress', ['1', '0'], { at: at('19:05') }),
      moneyline('pinnacle', -300, 250, '19:30'),
    );
  });

  it('has fair prices and no forecast, with the names of the bookmakers', async () => {
    const answer = await intelligence(await server.eventId('a'));

    expect(answer).toMatchObject({ available: true, as_of: null, bookmakers: { pinnacle: 'Pinnacle' } });
    expect(answer.bets[0]).toMatchObject({
      ...{ bet_type: 'ML_P1', player_role: 'home', probability: null },
      fair: { probability: 0.582712, books: ['pinnacle'] },
    });
    expect(answer.rationale).toEqual(['Market: Home 58% from 1 book']);
  });

  it('has those that it had at a moment', async () => {
    const answer = await intelligence(await server.eventId('a'), `?as_of=${at('17:45')}`);

    expect(answer.as_of).toBe(at('17:45'));
    expect(answer.bets[0]).toMatchObject({ fair: { probability: 0.5 }, ev: { book: 'fanduel', ev_pct: 10 } });
    expect(answer.bookmakers['fanduel']).toBe('FanDuel');
  });

  it('was as likely to be won as each price before the start made it: a change each, none of the game itself', async () => {
    const id = await server.eventId('a');

    expect(await probabilities(id)).toEqual({
      ...{ event_id: id, outcome: 'home', until: at('19:00') },
      fair: [
        { at: at('17:00'), probability: 0.5 },
        { at: at('18:00'), probability: 0.582712 },
      ],
      forecast: [],
    });
  });

  it('is told to no other site, and is unknown under another number', async () => {
    const id = await server.eventId('a');
    for (const path of ['intelligence', 'probabilities']) {
      const { status } = await server.ask(`/live/events/${id}/${path}`, { headers: { host: 'elsewhere.example' } });
      expect([path, status]).toEqual([path, 403]);
      expect((await server.ask(`/live/events/999/${path}`)).status).toBe(404);
    }
  });
});

it('an event with both sides open has neither', async () => {
  const open = { name: 'Winner of another game', placeholder: true };
  await server.feed(schedule(NBA, 'b', [open, open], at('19:00'), { at: at('10:00') }));
  const id = await server.eventId('b');

  expect(await intelligence(id)).toMatchObject({ available: false, bets: [] });
  expect(await probabilities(id)).toMatchObject({ fair: [], forecast: [] });
});

it('a forecast moves with each result that it rests on, and ends where the event’s intelligence has it', async () => {
  const games = gamesOf('nba', 'nba', 125, numbersOf(7));
  const [last, next] = [games.at(-2)!, games.at(-1)!];
  const place = games.length - 1;
  // The last result of a side comes when the next event is known already.
  const late = { ...last, home: next.home, away: next.away, knownAt: next.startsAt - HOUR };
  await server.feed(
    ...messagesOf('nba', games.slice(0, -2)),
    scheduleOf('nba', next, place),
    pricesOf('nba', next, 0, { ref: refOf(place) }),
    scheduleOf('nba', late, place - 1),
    ...endOf('nba', late, place - 1),
  );
  const id = await server.eventId(refOf(place));
  const { fair, forecast, until } = await probabilities(id);
  const answer = await intelligence(id);

  expect(until).toBe(iso(next.startsAt));
  expect(fair).toEqual([{ at: iso(next.startsAt - HOUR), probability: answer.bets[0]!.fair!.probability }]);
  expect(forecast.length).toBeGreaterThan(1);
  expect(forecast.at(-1)).toEqual({ at: iso(late.knownAt), probability: answer.bets[0]!.probability });
  expect(forecast.at(-2)!.probability).not.toBe(answer.bets[0]!.probability);
});
