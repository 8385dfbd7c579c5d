import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from './events.ts';
import { ATP, market, odds } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';
import { minute, RESOURCES, story } from './story.ts';

const withAsOf = (path: string, asOf: string, basis?: string) => {
  const query = `as_of=${asOf}${basis === undefined ? '' : `&as_of_basis=${basis}`}`;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
};
describe('as_of', () => {
  it('recorded (the default): gives again exactly what the server answered at every moment', async () => {
    const server = await startServer({ now: minute(200) });
    const messages = story('s', 'Story Home', 'Story Away');
    const clock = (step: number) => minute(200 + step);
    const seen: { readonly at: string; readonly answers: readonly { status: number; body: any }[] }[] = [];
    let id = 0;
    for (const [step, message] of messages.entries()) {
      server.setClock(clock(step));
      await server.feed(message);
      id ||= await server.eventId('feed', 's');
      const answers = await Promise.all(RESOURCES.map((path) => server.ask(`/v1/events/${id}${path}`)));
      seen.push({ at: clock(step), answers });
    }
    server.setClock(clock(messages.length + 1000));
    for (const [step, { at, answers }] of seen.entries()) {
      for (const [index, path] of RESOURCES.entries()) {
        const { status, body } = await server.ask(withAsOf(`/v1/events/${id}${path}`, at));
        const { status: then, body: answered } = answers[index]!;
        if (answered.error) {
          expect([step, path, status]).toEqual([step, path, then]);
        } else {
          expect({ step, path, status, body }).toEqual({ step, path, status: then, body: answered });
        }
      }
    }
    for (const { at, answers } of [seen[3]!, seen[14]!, seen.at(-1)!]) {
      const { body } = await server.post('/v1/events/batch', { event_ids: [id], as_of: at });
      expect(body).toEqual({ events: [answers[0]!.body], not_found: [], total: 1 });
    }
    await server.close();
  });

  it('observed: is what a server had answered that got the messages of until then, in the order of their at', async () => {
    const all = await startServer({ now: minute(400) });
    const messages = story('s', 'Story Home', 'Story Away');
    for (const message of messages) await all.feed(message);
    const allId = await all.eventId('feed', 's');
    const sorted = messages.toSorted((a, b) => Date.parse(String(a['at'])) - Date.parse(String(b['at'])));
    const partial = await startServer({ now: minute(400) });
    for (const message of sorted) {
      await partial.feed(message);
      const partialId = await partial.eventId('feed', 's');
      const at = String(message['at']);
      for (const path of RESOURCES) {
        const given = await all.ask(withAsOf(`/v1/events/${allId}${path}`, at, 'observed'));
        partial.setClock(at);
        const expected = await partial.ask(`/v1/events/${partialId}${path}`);
        partial.setClock(minute(400));
        const comparable = ({ status, body }: typeof given) =>
          body.error ? { status } : { status, body: { ...body, updated_at: null } };
        expect({ at, path, ...comparable(given) }).toEqual({ at, path, ...comparable(expected) });
      }
    }
    await all.close();
    await partial.close();
  });
});

describe('as_of: parameters', () => {
  let server: SpecServer;
  let one: Game;
  beforeAll(async () => {
    server = await startServer();
    one = await game(server, ATP);
    server.setClock('2026-03-01T12:10:00Z');
    await server.feed(one.score('inprogress', ['1', '0']));
    const priced = (price: number) =>
      market('h2h', [
        ['player_1', price],
        ['player_2', 100],
      ]);
    await server.feed(odds(one.ref, 'pinnacle', [priced(-110)], { at: '2026-03-01T09:00:00Z' }));
    await server.feed(odds(one.ref, 'pinnacle', [priced(-120)], { at: '2026-03-01T09:10:00Z' }));
  });
  afterAll(() => server.close());
  const ask = (path: string, query: string) => server.ask(`${one.path}${path}?${query}`);
  const PATHS = ['', '/score', '/odds', '/odds/history', '/splits', '/injuries'];

  it.each(PATHS)('%s: 404 when the server did not know the event yet', async (path) => {
    const { status, body, credits } = await ask(path, 'as_of=2026-03-01T11:59:59.999Z');
    expect([status, body.error.code, credits]).toEqual([404, 'not_found', 0]);
  });

  it('what has the very time T is included', async () => {
    expect((await ask('', 'as_of=2026-03-01T12:00:00Z')).body.status).toBe('scheduled');
    expect((await ask('', 'as_of=2026-03-01T12:09:59.999Z')).body.status).toBe('scheduled');
    expect((await ask('', 'as_of=2026-03-01T12:10:00Z')).body.status).toBe('inprogress');
    expect((await ask('', 'as_of=2026-03-01T08:00:59Z&as_of_basis=observed')).body.status).toBe('scheduled');
    expect((await ask('', 'as_of=2026-03-01T08:01:00Z&as_of_basis=observed')).body.status).toBe('inprogress');
    expect((await ask('', 'as_of=2026-03-01T07:59:59Z&as_of_basis=observed')).status).toBe(404);
  });

  it.each(PATHS)('%s: a time in the future is 400, now is not', async (path) => {
    const { status, body } = await ask(path, 'as_of=2026-03-01T12:10:00.001Z');
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect((await ask(path, 'as_of=2026-03-01T12:10:00Z')).status).toBe(200);
  });

  it.each(PATHS)('%s: malformed times are 400, another basis 422', async (path) => {
    for (const bad of [
      'yesterday',
      '',
      '2026-03-01',
      '2026-03-01T12:00:00',
      '2026-03-01T12:00:00%2B00:00',
      '2026-02-30T00:00:00Z',
    ]) {
      expect([bad, (await ask(path, `as_of=${bad}`)).status]).toEqual([bad, 400]);
    }
    expect((await ask(path, 'as_of=2026-03-01T12:00:00Z&as_of_basis=now')).status).toBe(422);
    expect((await ask(path, 'as_of_basis=observed')).status).toBe(200);
  });

  it('costs what the same read costs', async () => {
    const credits = async (path: string, query: string) => (await ask(path, query)).credits;
    const now = 'as_of=2026-03-01T12:10:00Z';
    expect(await credits('', now)).toBe(1);
    expect(await credits('', `include_odds=true&${now}`)).toBe(2);
    expect(await credits('', 'include_odds=true&as_of=2026-03-01T12:00:00Z')).toBe(1);
    expect(await credits('/odds', `bookmaker=all&${now}`)).toBe(2);
    expect(await credits('/odds', 'bookmaker=all&as_of=2026-03-01T12:00:00Z')).toBe(0);
    expect(await credits('/odds/history', now)).toBe(1);
    expect(await credits('/splits', now)).toBe(0);
  });

  it('as_of is no parameter of lists: unknown ones are ignored', async () => {
    expect((await server.ask('/v1/events?as_of=yesterday')).status).toBe(200);
    expect((await server.ask('/v1/teams?as_of=2099-01-01T00:00:00Z')).status).toBe(200);
  });
});
