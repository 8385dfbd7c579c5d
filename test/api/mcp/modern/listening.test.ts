import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedGames, type Games } from '../../agent/games.ts';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';
import { market, NFL, odds, schedule, score } from '../../spec/messages.ts';
import { openStream } from '../../streams/sse-client.ts';
import { ask, modernRequest, SUBSCRIPTION_ID } from './modern-client.ts';

let server: AgentServer;
let games: Games;
beforeEach(async () => {
  server = await serveAgent();
  games = await feedGames(server);
});
afterEach(() => server.close());

const METHOD = 'subscriptions/listen';
const listenParams = (uris: readonly string[]) => ({ notifications: { resourceSubscriptions: uris } });

/** Opens a stream on these addresses. */
async function listen(uris: readonly string[], key = server.key, id: string | number = 7) {
  const { message, headers } = modernRequest(METHOD, listenParams(uris), { id });
  const accept = 'application/json, text/event-stream';
  return openStream(`${server.url}/mcp`, { ...headers, accept, authorization: `Bearer ${key}` }, message);
}

const scoreOf = (id: number) => `ledgerline://events/${id}/score`;
const oddsOf = (id: number) => `ledgerline://events/${id}/odds`;
const updated = (uri: string, id: string | number = 7) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri, _meta: { [SUBSCRIPTION_ID]: id } },
});
const goal = (home: string) =>
  score('full', 'inprogress', [home, '3'], { at: '2026-03-01T11:50:00Z', period: '1', clock: '07:00' });

describe('an open stream', () => {
  it('first says which addresses are honoured: unknown ones are left out', async () => {
    const stream = await listen([scoreOf(games.full), scoreOf(games.unknown), 'file:///x', scoreOf(games.full)]);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({ 'x-accel-buffering': 'no', 'x-credits-used': '1' });
    expect((await stream.next()).data).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { resourceSubscriptions: [scoreOf(games.full)] },
        _meta: { [SUBSCRIPTION_ID]: 7 },
      },
    });
    stream.leave();
  });

  it('leaves out what lies outside the key’s scopes', async () => {
    const { key } = await server.newKey({ scopes: ['nba'] });
    const stream = await listen([scoreOf(games.full), scoreOf(games.bare)], key);
    expect((await stream.next()).data.params.notifications.resourceSubscriptions).toEqual([scoreOf(games.bare)]);
    stream.leave();
  });

  it('tells a change once it can be read, and nothing else', async () => {
    const stream = await listen([scoreOf(games.full), oddsOf(games.full)], server.key, 'mine');
    await stream.next();
    await server.feed(goal('14'));
    expect((await stream.next()).data).toEqual(updated(scoreOf(games.full), 'mine'));
    const { body } = await ask(server, 'resources/read', { uri: scoreOf(games.full) });
    expect(JSON.parse(body.result.contents[0].text).scores[0].score).toBe('14');
    const lines = [
      market('h2h', [
        ['home', -150],
        ['away', 130],
      ]),
    ];
    await server.feed(odds('full', 'pinnacle', lines, { at: '2026-03-01T11:51:00Z' }));
    expect((await stream.next()).data).toEqual(updated(oddsOf(games.full), 'mine'));
    await server.feed(odds('bare', 'pinnacle', lines, { at: '2026-03-01T11:51:00Z' }));
    await server.feed(goal('21'));
    expect((await stream.next()).data).toEqual(updated(scoreOf(games.full), 'mine'));
    stream.leave();
  });

  it('is one of five of the key, and none of its places for answers', async () => {
    const open = [];
    for (let count = 0; count < 5; count++) {
      const stream = await listen([scoreOf(games.full)]);
      await stream.next();
      open.push(stream);
    }
    const sixth = await ask(server, METHOD, listenParams([scoreOf(games.full)]));
    expect([sixth.status, sixth.body.error.code]).toEqual([429, 'stream_limit_exceeded']);
    // Closing one cancels it.
    open[0]!.leave();
    await expect.poll(async () => (await listen([scoreOf(games.full)])).status).toBe(200);
    expect((await ask(server, 'tools/list')).status).toBe(200);
    for (const stream of open) stream.leave();
  });

  it('ends with the result when the server stops', async () => {
    const stream = await listen([scoreOf(games.full)]);
    await stream.next();
    const closing = server.agentStreams.close();
    const last = await stream.next();
    expect(last.data).toMatchObject({ id: 7, result: { resultType: 'complete', _meta: { [SUBSCRIPTION_ID]: 7 } } });
    expect((await stream.next()).event).toBe('end');
    await closing;
  });

  it('goes on with the event into which its own was merged', async () => {
    const away = { source: 'other', at: '2026-03-01T08:00:00Z' };
    await server.feed(schedule(NFL, 'twin', ['Kansas City Chiefs', 'Denver Broncos'], '2026-03-01T18:30:00Z', away));
    const twin = await server.eventId('other', 'twin');
    const stream = await listen([scoreOf(twin)]);
    await stream.next();
    await server.feed({
      ...{ kind: 'identity', source: 'operator', at: '2026-03-01T11:45:00Z', action: 'merge', what: 'event' },
      ...{ from: twin, into: games.full },
    });
    await server.feed(goal('28'));
    expect((await stream.next()).data).toEqual(updated(scoreOf(twin)));
    await expect
      .poll(async () => {
        const { body } = await ask(server, 'resources/read', { uri: scoreOf(twin) });
        return JSON.parse(body.result.contents[0].text).scores[0].score;
      })
      .toBe('28');
    stream.leave();
  });
});

describe('it is not opened', () => {
  it('for a client that takes no stream: 406', async () => {
    const heard = await ask(server, METHOD, listenParams([]), { headers: { accept: 'application/json' } });
    expect([heard.status, heard.body.error.code]).toEqual([406, 'not_acceptable']);
  });

  it.each([{}, { notifications: 1 }, { notifications: { resourceSubscriptions: [5] } }])(
    'with the params %j: -32602',
    async (params) => {
      const { status, body } = await ask(server, METHOD, params);
      expect([status, body.error.code]).toEqual([200, -32602]);
    },
  );

  it('with more than 100 addresses', async () => {
    const uris = Array.from({ length: 101 }, (_, index) => scoreOf(index + 1));
    expect((await ask(server, METHOD, listenParams(uris))).body.error.code).toBe(-32602);
  });
});
