import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { game } from '../../spec/events.ts';
import { NBA, NFL } from '../../spec/messages.ts';
import { type SpecServer, startServer } from '../../spec/server.ts';
import { minute, RESOURCES, story } from '../../spec/story.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer({ now: minute(200) });
});
afterAll(() => server.close());

/** Asks, and tells whether a document was read for it. */
async function askTwice(path: string, ask: Parameters<SpecServer['ask']>[1] = {}) {
  const first = await server.ask(path, ask);
  const before = server.reads();
  const second = await server.ask(path, ask);
  return { first, second, isKept: server.reads() === before };
}

const HEADERS = ['etag', 'cache-control', 'content-type', 'content-length', 'vary', 'x-credits-used'];
const shown = ({ status, headers, body }: Awaited<ReturnType<SpecServer['ask']>>) => ({
  status,
  body,
  headers: HEADERS.map((name) => [name, headers.get(name)]),
});

describe('a cached answer', () => {
  it.each([
    ['', 300],
    ['?include_odds=true&bookmaker=all', 120],
    ['/score', 15],
    ['/odds?bookmaker=all', 120],
    ['/splits', 120],
  ])('of an event (%s) is the same in all but the request id, and nothing is read for it', async (path, seconds) => {
    const one = await game(server, NFL, { broadcast: 'Süd – 体育' });
    await server.feed(one.score('inprogress', ['7', '3']));
    const { first, second, isKept } = await askTwice(one.path + path);
    expect(isKept).toBe(true);
    expect(shown(second)).toEqual(shown(first));
    expect(first.headers.get('cache-control')).toBe(`private, max-age=${seconds}`);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('of an event that has just ended must be revalidated by clients', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('final', ['7', '3']));
    const { second } = await askTwice(one.path);
    expect(second.headers.get('cache-control')).toBe('private, no-cache, must-revalidate');
  });

  it.each(['/v1/events?sport=nba&include_scores=true', '/v1/teams?sport=nba', '/v1/players?sport=tennis'])(
    'of a list (%s) goes with the first change of any document of its kind',
    async (path) => {
      await game(server, NBA);
      expect((await askTwice(path)).isKept).toBe(true);
      // Other teams, of another sport, and another event.
      await game(server, { sport: 'tennis', league: 'atp' });
      await game(server, NFL);
      const before = server.reads();
      await server.ask(path);
      expect(server.reads()).toBeGreaterThan(before);
    },
  );

  it('costs the same; a client that already has it pays nothing; equal queries match in any spelling', async () => {
    const one = await game(server, NFL);
    const { second } = await askTwice(`${one.path}?bookmaker=circa`);
    expect(second.credits).toBe(1);
    const before = server.reads();
    const held = await server.ask(`${one.path}?include_odds=false&bookmaker=circa&unknown=1`, {
      headers: { 'if-none-match': second.headers.get('etag')! },
    });
    expect([held.status, held.credits, held.body]).toEqual([304, 0, '']);
    expect(held.headers.get('cache-control')).toBe('private, max-age=300');
    const head = await server.ask(`${one.path}?bookmaker=circa`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, second.headers.get('etag')]);
    expect(server.reads()).toBe(before);
  });

  it('is for keys of its scopes only, and for no key that is not valid', async () => {
    const one = await game(server, NFL);
    await askTwice(one.path);
    const nfl = await server.newKey(['nfl']);
    const nba = await server.newKey(['nba']);
    for (let times = 0; times < 2; times++) {
      expect((await server.ask(one.path, { key: nfl })).status).toBe(200);
      const denied = await server.ask(one.path, { key: nba });
      expect([denied.status, denied.body.error.code]).toEqual([403, 'sport_scope_denied']);
    }
    const all = '/v1/events?limit=100';
    const sportsOf = async (key?: string) => {
      const { second } = await askTwice(all, key === undefined ? {} : { key });
      return new Set(second.body.events.map(({ sport }: { sport: string }) => sport));
    };
    await game(server, NBA);
    expect((await sportsOf()).size).toBeGreaterThan(1);
    expect(await sportsOf(nba)).toEqual(new Set(['nba']));
    expect(await sportsOf(nfl)).toEqual(new Set(['nfl']));
    await server.revoke(nfl);
    server.setClock(minute(201));
    expect((await server.ask(one.path, { key: nfl })).status).toBe(401);
    expect((await server.ask(one.path, { key: null })).status).toBe(401);
  });
});

describe('an answer is the same as that of a server without a cache', () => {
  it('after each message of a story, for every resource, when the message is acknowledged as projected', async () => {
    const [plain, keeping] = await Promise.all([
      startServer({ now: minute(300), answerBytes: 0 }),
      startServer({ now: minute(300) }),
    ]);
    let id = 0;
    let kept = 0;
    for (const message of story('s', 'Story Home', 'Story Away')) {
      await Promise.all([plain.feed(message), keeping.feed(message)]);
      id ||= await keeping.eventId('feed', 's');
      for (const path of [...RESOURCES.slice(0, 7).map((resource) => `/v1/events/${id}${resource}`), '/v1/teams']) {
        const expected = await plain.ask(path);
        const before = keeping.reads();
        const { status, body, credits } = await keeping.ask(path);
        if (status === 200 && keeping.reads() === before) kept++;
        expect([path, status, credits]).toEqual([path, expected.status, expected.credits]);
        if (status === 200) expect([path, body]).toEqual([path, expected.body]);
      }
    }
    // Not every message changes every resource.
    expect(kept).toBeGreaterThan(20);
    await Promise.all([plain.close(), keeping.close()]);
  });

  it('after a rebuild', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['7', '3']));
    const paths = ['', '/score', '/odds?bookmaker=all'].map((path) => one.path + path);
    const before = [];
    for (const path of paths) before.push((await askTwice(path)).first.body);
    await server.rebuild();
    expect(server.answers.size.answers).toBe(0);
    for (const [index, path] of paths.entries()) {
      const { first, isKept } = await askTwice(path);
      expect(first.body).toEqual(before[index]);
      expect(isKept).toBe(true);
    }
    await server.feed(one.score('inprogress', ['14', '3']));
    expect((await server.ask(`${one.path}/score`)).body.scores[0].score).toBe('14');
  });

  it('if there was none before', async () => {
    const { id } = await game(server, NFL);
    expect((await server.ask(`/v1/events/${id + 1}`)).status).toBe(404);
    const next = await game(server, NFL);
    expect([next.id, (await server.ask(next.path)).status]).toEqual([id + 1, 200]);
  });
});

describe('what is made anew each time', () => {
  it('as_of: what is learned late changes what was observed before', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['7', '3'], { at: minute(150) }));
    const { answers } = server.answers.size;
    const path = `${one.path}/score?as_of=${minute(160)}&as_of_basis=observed`;
    const score = async () => (await server.get(path)).scores[0].score;
    expect([await score(), await score()]).toEqual(['7', '7']);
    await server.feed(one.score('inprogress', ['14', '3'], { at: minute(155) }));
    expect(await score()).toBe('14');
    expect(server.answers.size.answers).toBeLessThanOrEqual(answers);
  });

  it.each(['/v1/sports', '/v1/seasons', '/v1/players/1/events'])('%s: depends on the day', async (path) => {
    await game(server, { sport: 'tennis', league: 'atp' });
    const kept = server.answers.size.answers;
    expect((await server.ask(path)).status).toBe(200);
    expect((await server.ask(path)).status).toBe(200);
    expect(server.answers.size.answers).toBe(kept);
  });

  it('injuries: the next check is the next from now on', async () => {
    const own = await startServer({ now: '2026-02-20T12:00:00Z' });
    const one = await game(own, NFL, { at: '2026-02-20T10:00:00Z', starts_at: '2026-03-01T18:00:00Z' });
    await own.feed({ kind: 'injury', source: 'feed', at: '2026-02-20T11:00:00Z', checked: true, ref: one.ref });
    const next = async () => (await own.get(`${one.path}/injuries`)).next_check_at;
    const first = await next();
    own.setClock('2026-03-01T19:00:00Z');
    expect([typeof first, await next()]).toEqual(['string', null]);
    await own.close();
  });

  it('health', async () => {
    await server.ask('/v1/health');
    const position = async () => (await server.get('/v1/health')).log.position;
    const before = await position();
    await game(server, NFL);
    expect(BigInt(await position())).toBeGreaterThan(BigInt(before));
  });
});
