import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { type Message, score } from '../api/spec/messages.ts';
import { HOUR, iso, messagesOf, refOf } from '../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from './seasons.ts';

const GAMES = 120;
const games = gamesOf('nfl', 'nfl', GAMES, numbersOf(1));
const next = games.at(-1)!;
const ref = refOf(GAMES - 1);
const NOW = next.startsAt - HOUR / 4;
/** Everything that is known a quarter of an hour before the last game. */
const told = messagesOf('nfl', games).filter(({ at }) => Date.parse(String(at)) <= NOW);

let server: AgentServer;
let id: number;
beforeAll(async () => {
  server = await serveAgent({ time: NOW });
  await server.feed(...told);
  id = await server.eventId('feed', ref);
}, 60_000);
afterAll(() => server.close());

const ask = (query = '') => server.ask(`/v1/events/${id}/probabilities${query}`, { key: BOOTSTRAP_KEY });
const play = async (minutes: number, status: string, points: readonly [string, string], more = {}): Promise<any> => {
  const at = next.startsAt + minutes * 60_000;
  server.clock.time = at + 1000;
  const message: Message = score(ref, status, [{ score: points[0] }, { score: points[1] }], {
    sport: 'nfl',
    at: iso(at),
    ...more,
  });
  await server.feed(message);
  return (await ask()).body;
};

/** The first score of a stream of the event. */
async function firstOfStream(query: string): Promise<any> {
  const opened = new AbortController();
  const headers = { Authorization: `Bearer ${BOOTSTRAP_KEY}` };
  const response = await fetch(`${server.url}/v1/events/${id}/stream${query}`, { headers, signal: opened.signal });
  let text = '';
  for await (const part of response.body!) {
    text += Buffer.from(part).toString();
    if (text.includes('\n\n')) break;
  }
  opened.abort();
  return JSON.parse(/^data: (.*)$/m.exec(text)![1]!);
}

describe('the probabilities of an event', () => {
  let before: any;

  it('are those of the intelligence before the start, for a credit', async () => {
    const { status, body, credits } = await ask();
    before = body;
    expect([status, credits]).toEqual([200, 1]);
    expect(Object.keys(body)).toEqual('event_id available status as_of outcomes spread total model_version'.split(' '));
    expect(body).toMatchObject({ event_id: id, available: true, status: 'scheduled', as_of: null });
    const { bets }: any = await server.get(`/v1/events/${id}/intelligence`, BOOTSTRAP_KEY);
    const shown = [body.outcomes, body.spread.outcomes, body.total.outcomes].flat();
    expect(shown.map(({ pregame }: any) => pregame)).toEqual(bets.map(({ probability }: any) => probability));
    expect(shown.map(({ now }: any) => now)).toEqual(shown.map(({ pregame }: any) => pregame));
    expect(shown.map(({ outcome }: any) => outcome)).toEqual(['home', 'away', 'home', 'away', 'over', 'under']);
    expect([body.spread.line, body.total.line]).toEqual([bets[2].market.line, bets[4].market.line]);
  });

  it('follow the score and the clock, and leave what was known before the start', async () => {
    const ahead = await play(30, 'inprogress', ['14', '0'], { period: '2', clock: '15:00' });
    const late = await play(150, 'inprogress', ['14', '0'], { period: '4', clock: '1:00' });
    expect(ahead.outcomes[0].now).toBeGreaterThan(before.outcomes[0].pregame + 0.1);
    expect(late.outcomes[0].now).toBeGreaterThan(0.99);
    for (const body of [ahead, late]) {
      expect(body.status).toBe('inprogress');
      for (const { outcomes } of [body, body.spread, body.total])
        expect(outcomes[0].now + outcomes[1].now).toBeCloseTo(1, 9);
      expect(body.outcomes.map(({ pregame }: any) => pregame)).toEqual(
        before.outcomes.map(({ pregame }: any) => pregame),
      );
    }
    expect(late.total.outcomes[1].now).toBeGreaterThan(0.99);
  });

  it('stand in a stream of scores that asks for them, and in no other', async () => {
    const { body } = await ask();
    const [home, away] = body.outcomes.map(({ now }: any) => now);
    expect((await firstOfStream('?include_probability=true')).win_probability).toEqual({ home, away });
    expect(await firstOfStream('')).not.toHaveProperty('win_probability');
  });

  it('are null while nothing tells how much is left', async () => {
    const body = await play(151, 'suspended', ['14', '0'], { period: 'Break' });
    expect(body.outcomes.map(({ now }: any) => now)).toEqual([null, null]);
    expect(body).toMatchObject({ available: true, status: 'suspended' });
  });

  it('are 1 and 0 at the end, and as they were at an earlier moment', async () => {
    const end = await play(180, 'final', ['14', '7']);
    expect(end.outcomes.map(({ now }: any) => now)).toEqual([1, 0]);
    expect(end.total.outcomes.map(({ now }: any) => now)).toEqual([0, 1]);
    const moment = iso(next.startsAt + 31 * 60_000);
    const { body } = await ask(`?as_of=${moment}&as_of_basis=observed`);
    expect(body).toMatchObject({ as_of: moment, status: 'inprogress' });
    expect(body.outcomes[0].now).toBeGreaterThan(before.outcomes[0].pregame);
    expect(body.outcomes[0].now).toBeLessThan(1);
  });
});

it('an event without a forecast has no probabilities, and costs nothing', async () => {
  const early = await server.eventId('feed', refOf(3));
  const { body, credits } = await server.ask(`/v1/events/${early}/probabilities`, { key: BOOTSTRAP_KEY });
  expect(credits).toBe(0);
  expect(body).toMatchObject({ available: false, spread: null, total: null, model_version: null });
  expect(body.outcomes).toEqual([
    { outcome: 'home', pregame: null, now: null },
    { outcome: 'away', pregame: null, now: null },
  ]);
});
