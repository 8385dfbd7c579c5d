import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { feedGames } from './games.ts';
import { outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* What a client may learn for nothing by `If-None-Match`: that the answer it has paid for has not changed. */

const folder = temporaryFolder();
let server: AgentServer;
afterEach(() => server.close());

const held = (path: string, tag: string, key = server.key) =>
  server.ask(path, { key, headers: { 'if-none-match': tag } });

describe('fault 3: tags', () => {
  it('are not told to whoever asks for any', async () => {
    server = await serveAgent();
    const { full } = await feedGames(server);
    for (const path of [`/v1/events/${full}/score`, '/v1/sports', '/v1/events', '/v1/teams']) {
      const { headers } = await server.ask(path);
      const tag = headers.get('etag')!;
      for (const any of ['*', `"x", *`, `*, W/"x"`]) {
        const answer = await held(path, any);
        expect([path, any, answer.status, answer.credits]).toEqual([path, any, 200, 1]);
      }
      for (const same of [tag, `W/${tag}`, `*, ${tag}`]) {
        const answer = await held(path, same);
        expect([path, same, answer.status, answer.credits]).toEqual([path, same, 304, 0]);
      }
    }
  });

  it.each(['/healthz', '/docs', '/openapi.json'])('of %s mean nothing by a star either', async (path) => {
    server = await serveAgent();
    const get = (tag: string) => fetch(server.url + path, { headers: { 'if-none-match': tag } });
    const first = await get('*');
    expect(first.status).toBe(200);
    expect((await get(first.headers.get('etag')!)).status).toBe(304);
  });

  it('of a paid answer do not reveal whether another query has the same answer', async () => {
    server = await serveAgent();
    const { full } = await feedGames(server);
    const paths = ['', '?as_of=2026-03-01T12:00:00Z', '?as_of=2026-03-01T11:59:59Z&as_of_basis=observed'];
    const answers = [];
    for (const query of paths) answers.push(await server.ask(`/v1/events/${full}/score${query}`));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [first] = answers;
    for (const query of paths.slice(1)) {
      const answer = await held(`/v1/events/${full}/score${query}`, first!.headers.get('etag')!);
      expect([answer.status, answer.credits]).toEqual([200, 1]);
    }
  });

  it('are compared after 402: even an unchanged answer is refused if the balance does not cover the call', async () => {
    server = await serveAgent({ plans: { free: { daily_credit_cap: 1 } } });
    const { full } = await feedGames(server);
    const path = `/v1/events/${full}/score`;
    const { status, headers } = await server.ask(path);
    expect(status).toBe(200);
    expect(outcomeOf(await held(path, headers.get('etag')!))).toBe('402 daily_credit_cap_exceeded');
    const other = await server.newKey();
    const answer = await held(path, headers.get('etag')!, other.key);
    expect([answer.status, answer.credits]).toEqual([304, 0]);
  });

  it('are the same after a restart', async () => {
    const file = folder.path('tags');
    server = await serveAgent({ file });
    const { full } = await feedGames(server);
    const path = `/v1/events/${full}/score`;
    const before = (await server.ask(path)).headers.get('etag')!;
    await server.close();
    server = await serveAgent({ file });
    const answer = await held(path, before);
    expect([answer.status, answer.credits, answer.headers.get('etag')]).toEqual([304, 0, before]);
  });
});
