import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { odds, schedule, score } from '../spec/messages.ts';
import { type AskCompat, asking, hexOf } from './odds-api-client.ts';
import { at, EPL, NOW } from './story.ts';

let server: AgentServer;
let ask: AskCompat;
beforeEach(async () => {
  server = await serveAgent({ time: NOW });
  ask = asking(server);
});
afterEach(() => server.close());

const MINUTE = 60_000;
const setClock = (minutes: number) => {
  server.clock.time = NOW + minutes * MINUTE;
};
const minutes = (n: number): string => at(n / 60);
const game = (start: number, said: number) => ({
  ...schedule(EPL, 'game', ['Arsenal', 'Chelsea'], at(start)),
  at: minutes(said),
});
const price = (home: number, said: number) => ({
  ...odds('game', 'pinnacle', [{ key: 'h2h', outcomes: [{ outcome: 'home', price: home }] }]),
  at: minutes(said),
});
const US = { regions: 'eu', oddsFormat: 'american' };

it('given an event that was put forward out of every list, then the past still has it where it stood', async () => {
  await server.feed(game(100, 0), price(-110, 0));
  const [then, listed] = [await ask('/sports/soccer_epl/odds', US), await ask('/sports/upcoming/events')];
  setClock(60);
  await server.feed(game(-30, 60));
  expect((await ask('/sports/soccer_epl/odds', US)).body).toEqual([]);
  const past = async (path: string, more = {}) => (await ask(`/historical${path}`, { date: minutes(1), ...more })).body;
  expect(then.body[0].bookmakers).toHaveLength(1);
  expect(JSON.stringify((await past('/sports/soccer_epl/odds', US)).data)).toBe(then.text);
  expect(JSON.stringify((await past('/sports/upcoming/events')).data)).toBe(listed.text);
});

it('given an event that is over, then the past has it as it was, and does not know it before it was told', async () => {
  setClock(10);
  await server.feed(game(1, 10), price(-110, 10));
  setClock(20);
  await server.feed(price(-120, 20));
  setClock(240);
  await server.feed({ ...score('game', 'final', ['2', '1']), at: minutes(240) });
  const id = hexOf(await server.eventId('feed', 'game'));
  const path = `/sports/soccer_epl/events/${id}/odds`;
  const then = async (n: number) => (await ask(`/historical${path}`, { ...US, date: minutes(n) })).body;
  expect((await ask(path, US)).body.error_code).toBe('EVENT_NOT_FOUND');
  expect((await then(9)).error_code).toBe('EVENT_NOT_FOUND');
  expect((await then(10)).data.bookmakers[0].markets[0].outcomes[0].price).toBe(-110);
  const { data } = await then(30);
  expect(data.bookmakers[0]).toMatchObject({ last_update: minutes(20), markets: [{ last_update: minutes(20) }] });
  expect(data.bookmakers[0].markets[0].outcomes[0].price).toBe(-120);
  expect((await then(239)).data.id).toBe(id);
  expect((await then(240)).error_code).toBe('EVENT_NOT_FOUND');
});

it('moments have neighbours five minutes away, within the log and not of the future', async () => {
  await server.feed(game(1, 0));
  setClock(60);
  const times = async (date: string, dateFormat = 'iso') => {
    const { body } = await ask('/historical/sports/soccer_epl/events', { date, dateFormat });
    const { data: _, ...rest } = body;
    return rest;
  };
  const three = (timestamp: unknown, previous_timestamp: unknown, next_timestamp: unknown) => ({
    timestamp,
    previous_timestamp,
    next_timestamp,
  });
  expect(await times(minutes(30))).toEqual(three(minutes(30), minutes(25), minutes(35)));
  expect(await times(minutes(30).replace('Z', '.75Z'))).toEqual(three(minutes(30), minutes(25), minutes(35)));
  const seconds = NOW / 1000 + 1800;
  expect(await times(minutes(30), 'unix')).toEqual(three(seconds, seconds - 300, seconds + 300));
  expect(await times(minutes(4))).toEqual(three(minutes(4), null, minutes(9)));
  expect(await times(minutes(5))).toEqual(three(minutes(5), minutes(0), minutes(10)));
  expect(await times(minutes(55))).toEqual(three(minutes(55), minutes(50), minutes(60)));
  expect(await times(minutes(56))).toEqual(three(minutes(56), minutes(51), null));
});

it('given history that was brought in later, then what was observed tells it', async () => {
  setClock(600);
  await server.feed(game(20, 0), price(-110, 0), price(-120, 30));
  const then = async (as_of_basis: string) =>
    (await ask('/historical/sports/soccer_epl/odds', { ...US, date: minutes(10), as_of_basis })).body.data;
  expect(await then('recorded')).toEqual([]);
  const [event] = await then('observed');
  expect(event.bookmakers[0].markets[0]).toMatchObject({ last_update: minutes(0), outcomes: [{ price: -110 }] });
});
