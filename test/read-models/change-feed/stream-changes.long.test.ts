import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message as Told } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import { type Message, openStream, type SseClient } from '../../api/streams/sse-client.ts';
import { follow, games, newsOfAll, pages, points } from './changing.ts';

let server: SpecServer;
beforeEach(async () => {
  server = await startServer();
  await server.feed(...games);
});
afterEach(() => server.close());

const tell = async (...messages: readonly Told[]) => {
  for (const message of messages) await server.feed(message);
};

/** The next so many changes. */
async function taken(client: SseClient, count: number): Promise<Message[]> {
  const changes: Message[] = [];
  while (changes.length < count) {
    const message = await client.next();
    if (message.event !== 'comment') changes.push(message);
  }
  return changes;
}
const asMessages = (changes: readonly any[]): Message[] =>
  changes.map((change) => ({ event: change.type, id: change.id, data: change }));

describe('a stream of changes', () => {
  it('begins with the cursor of now, then gives each change as the pages do', async () => {
    await tell(...newsOfAll.slice(0, 3));
    const { next_after: now } = await server.get('/v1/changes');
    const client = await follow(server);
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-credits-used': '1' });
    expect(await client.next()).toEqual({ event: 'ready', id: now, data: { id: now } });
    await tell(...newsOfAll.slice(3));
    expect(await taken(client, 4)).toEqual(asMessages(await pages(server, '', now)));
  });

  it('goes on exactly behind any cursor, of a header before that of the query', async () => {
    await tell(...newsOfAll);
    const whole = await pages(server, '');
    const all = await follow(server, '?after=0');
    expect(await all.next()).toEqual({ event: 'ready', id: '0', data: { id: '0' } });
    expect(await taken(all, whole.length)).toEqual(asMessages(whole));
    for (const [place, { id }] of whole.slice(0, -1).entries()) {
      const client = await follow(server, '?after=0', { 'last-event-id': id });
      expect((await client.next()).id).toBe(id);
      const rest = whole.slice(place + 1);
      expect(await taken(client, rest.length)).toEqual(asMessages(rest));
      client.leave();
    }
    await tell(points('g1', 5, '11:30'));
    expect((await taken(all, 1))[0]!.data.data.scores[0].score).toBe('5');
  });

  it('gives what passes its filter', async () => {
    const { next_after: now } = await server.get('/v1/changes');
    const queries = ['?types=score', '?sport=nfl', '?event_id=1&types=line_move', '?bookmaker=fanduel', '?league=nba'];
    const clients = await Promise.all(queries.map((query) => follow(server, query)));
    for (const client of clients) await client.next();
    await tell(...newsOfAll);
    for (const [n, query] of queries.entries()) {
      const expected = await pages(server, query.replace('?', '&'), now);
      expect(expected.length).toBeGreaterThan(0);
      expect(await taken(clients[n]!, expected.length)).toEqual(asMessages(expected));
    }
  });

  it('of a key of some sports gives these, and 403 for others', async () => {
    const authorization = `Bearer ${await server.newKey(['nfl'])}`;
    const client = await follow(server, '?after=0', { authorization });
    await client.next();
    await tell(...newsOfAll);
    expect((await taken(client, 1))[0]!.data.sport).toBe('nfl');
    for (const query of ['?sport=nba', '?event_id=1', '?league=nba']) {
      expect((await follow(server, query, { authorization })).status).toBe(403);
    }
  });

  it('refuses before it opens, in JSON', async () => {
    const refusals: [string, Record<string, string>, number][] = [
      ['?after=x', {}, 400],
      ['?after=99999', {}, 400],
      ['?after=0', { 'last-event-id': 'x' }, 400],
      ['?types=goal', {}, 422],
      ['?event_id=999', {}, 404],
      ['', { authorization: 'Bearer wrong' }, 401],
    ];
    for (const [query, headers, status] of refusals) {
      const client = await follow(server, query, headers);
      expect([query, client.status]).toEqual([query, status]);
      expect(client.headers['content-type']).toContain('application/json');
    }
    expect(server.composed.server.changeStreams.size).toBe(0);
    expect(server.composed.server.changeHub.isFollowing).toBe(false);
  });

  it('takes its key from the query, and answers HEAD with its headers alone', async () => {
    const client = await openStream(`${server.url}/v1/stream?api_key=${server.fullKey}`);
    expect((await client.next()).event).toBe('ready');
    const headers = { authorization: `Bearer ${server.fullKey}` };
    const head = await fetch(`${server.url}/v1/stream`, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await fetch(`${server.url}/v1/stream`, { method: 'POST', headers })).status).toBe(405);
  });

  it('is kept alive, and ends after 5 minutes with the cursor where the next goes on', async () => {
    const { next_after: before } = await server.get('/v1/changes');
    const client = await follow(server, '?types=intelligence');
    await client.next();
    await tell(points('g1', 1, '11:20'));
    const { timers } = server.composed;
    timers.advance(15_000);
    expect(await client.next()).toEqual({ event: 'comment', data: 'keep-alive' });
    timers.advance(285_000);
    const [last, end] = (await client.rest()).filter(({ event }) => event !== 'comment');
    expect(last).toMatchObject({ event: 'reconnect', data: { reason: 'max_stream_duration', max_seconds: 300 } });
    expect(end!.event).toBe('end');
    expect(await pages(server, '', last!.id)).toEqual([]);
    expect(await pages(server, '', before)).toHaveLength(2);
  });

  it('says where to go on when the server shuts down', async () => {
    const client = await follow(server);
    await client.next();
    const closing = server.composed.server.changeStreams.close();
    const [last] = await client.rest();
    expect(last).toMatchObject({ event: 'reconnect', data: { reason: 'server_shutdown', max_seconds: 300 } });
    await closing;
    expect(server.composed.server.changeStreams.size).toBe(0);
  });

  it('follows the log as long as anybody listens', async () => {
    const { changeHub, changeStreams } = server.composed.server;
    const first = await follow(server);
    const second = await follow(server);
    for (const client of [first, second]) await client.next();
    expect([changeStreams.size, changeHub.isFollowing]).toEqual([2, true]);
    first.leave();
    await expect.poll(() => changeStreams.size).toBe(1);
    await tell(points('g1', 1, '11:20'));
    expect(await taken(second, 2)).toHaveLength(2);
    second.leave();
    await expect.poll(() => changeHub.isFollowing).toBe(false);
    // What came meanwhile is read from the log by who comes back.
    await tell(points('g1', 2, '11:21'));
    const third = await follow(server, '', { 'last-event-id': second.received.at(-2)!.id! });
    await third.next();
    expect((await taken(third, 1))[0]!.data.data.scores[0].score).toBe('2');
  });
});
