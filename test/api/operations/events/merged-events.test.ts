import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thingIdPlacesOf } from '../../../../src/api/calls/operation/thing-ids.ts';
import { jsonSchemaOf } from '../../../../src/api/calls/operation/zod-json-schema.ts';
import { operations } from '../../../../src/api/operations/index.ts';
import { LATER, minute, pricesOf, scheduleOf, scoreOf } from '../../../ingest/feed-messages.ts';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';
import { asking, hexOf } from '../../compat/odds-api-client.ts';

let server: AgentServer;
let from: number;
let into: number;
let other: number;
/** Before the act, as answers say times. */
let before: string;
/** The entity tag of `from` before the act. */
let tagBefore: string;

beforeAll(async () => {
  server = await serveAgent({ time: LATER });
  const told = [
    scheduleOf('a', { starts_at: '2026-09-11T03:00:00Z' }),
    scheduleOf('b', { starts_at: '2026-09-11T10:00:00Z' }),
    scheduleOf('c', { starts_at: '2026-09-20T18:00:00Z' }),
    pricesOf('a', 1, -110, 'pinnacle'),
    pricesOf('b', 2, 120, 'pinnacle'),
    { ...scoreOf('c', 1, 7), at: minute(1) },
  ];
  await server.feed(...(told as { kind: string }[]));
  into = await server.eventId('a', 'a-1');
  from = await server.eventId('b', 'b-1');
  other = await server.eventId('c', 'c-1');
  server.clock.time += 60_000;
  before = new Date(server.clock.time).toISOString();
  tagBefore = (await server.ask(`/v1/events/${from}`)).headers.get('etag')!;
  server.clock.time += 60_000;
  await act({ action: 'merge', from, into });
});
afterAll(() => server.close());

async function act(members: object): Promise<void> {
  const at = new Date(server.clock.time).toISOString();
  const { outcomes } = await server.take([{ kind: 'identity', source: 'operator', what: 'event', at, ...members }]);
  expect(outcomes).toMatchObject([{ status: 'accepted' }]);
  await server.feed();
}

const eventReads = operations.filter(({ path, method }) => path.startsWith('/v1/events/{id}') && method === 'GET');

describe('the old id of a merged event', () => {
  it('answers as the event that it was merged into, at every path of an event, with a header that says so', async () => {
    for (const { path, streaming } of eventReads) {
      if (streaming) continue;
      const [old, present] = [from, into].map((id) => server.ask(path.replace('{id}', String(id))));
      const [byOld, byPresent] = [await old!, await present!];
      expect([path, byOld.status, byOld.headers.get('x-merged-into')]).toEqual([path, 200, String(into)]);
      expect(byPresent.headers.get('x-merged-into')).toBeNull();
      expect(byOld.body).toEqual(byPresent.body);
    }
  });

  it('answers in the form that was asked for', async () => {
    const csvOf = async (id: number) => {
      const headers = { authorization: `Bearer ${server.key}`, accept: 'text/csv' };
      const response = await fetch(`${server.url}/v1/events/${id}/odds?bookmaker=all`, { headers });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    const old = await csvOf(from);
    expect(old.slice(0, 2)).toEqual([200, 'text/csv; charset=utf-8']);
    expect(old[2]).toContain('pinnacle');
    expect(old).toEqual(await csvOf(into));
  });

  it('answers as itself as of a moment of recording before the act, and as the other by the time of observation', async () => {
    const then = await server.ask(`/v1/events/${from}?as_of=${before}`);
    expect([then.body.id, then.headers.get('x-merged-into')]).toEqual([from, null]);
    const observed = await server.ask(`/v1/events/${from}?as_of=${before}&as_of_basis=observed`);
    expect([observed.body.id, observed.headers.get('x-merged-into')]).toEqual([into, String(into)]);
  });

  it('stands once in a batch, and costs once', async () => {
    const { body, credits, headers } = await server.post('/v1/events/batch', { event_ids: [from, into, other] });
    expect(body.events.map(({ id }: { id: number }) => id)).toEqual([into, other]);
    expect([body.not_found, credits]).toEqual([
      [],
      (await server.post('/v1/events/batch', { event_ids: [into, other] })).credits,
    ]);
    expect(headers.get('x-merged-into')).toBe(String(into));
  });

  it('does not keep a client from the new answer by the entity tag of the old one', async () => {
    const { status } = await server.ask(`/v1/events/${from}`, { headers: { 'if-none-match': tagBefore } });
    expect(status).toBe(200);
  });

  it('is told in the meta of a tool', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_event', arguments: { id: from } },
    };
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(call),
    });
    const body: any = await answer.json();
    expect(body.result._meta).toMatchObject({ merged_into: [into] });
    expect(body.result.structuredContent.id).toBe(into);
  });

  it('is found by its hex id at the paths of The Odds API', async () => {
    const ask = asking(server);
    const path = (id: number) => `/sports/americanfootball_nfl/events/${hexOf(id)}/odds`;
    const old = await ask(path(from), { regions: 'eu' });
    expect([old.status, old.body]).toEqual([200, (await ask(path(into), { regions: 'eu' })).body]);
    expect(old.headers.get('x-merged-into')).toBe(String(into));
  });

  it('is listed in the mappings of the event that it means', async () => {
    for (const id of [from, into]) {
      const { mappings } = await server.get(`/v1/mappings?type=event&id=${id}`);
      expect(mappings).toMatchObject([{ id: into, merged_from: [from] }]);
    }
    const { mappings } = await server.get(`/v1/mappings?type=event&id=${other}`);
    expect(mappings).toMatchObject([{ merged_from: [] }]);
  });

  it('is not told to a caller who gets an error', async () => {
    const { key } = await server.newKey({ scopes: ['nba'] });
    const { status, headers } = await server.ask(`/v1/events/${from}`, { key });
    expect([status, headers.get('x-merged-into')]).toEqual([403, null]);
  });
});

/** The members that are ids of things, and the paths under which `id` is one. */
const NAMES = {
  event: [/(^|\.)event_ids?(\.\*)?$/, /^\/v1\/events\/\{id\}/],
  team: [/(^|\.)team_ids?(\.\*)?$/, /^\/v1\/teams\/\{id\}/],
  player: [/(^|\.)player_ids?(\.\*)?$/, /^\/v1\/players\/\{id\}/],
} as const;

describe.each(Object.entries(NAMES))(
  'an id of a thing among the inputs of an operation: %s',
  (what, [member, ofThing]) => {
    it('is marked as one, wherever it stands, so that merged ids are resolved', () => {
      const named = operations.flatMap(({ name, path, input }) => {
        const places = thingIdPlacesOf(input).filter(({ of }) => of === what);
        const marked = places.map((place) => place.path.join('.'));
        const parts = [input.path, input.query, input.body].flatMap((schema) => schema ?? []);
        return parts
          .flatMap((schema) => pathsIn(jsonSchemaOf(schema, 'input'), ''))
          .filter((at) => member.test(at) || (ofThing.test(path) && at === 'id'))
          .filter((at) => !marked.includes(at) && !marked.includes(`${at}.*`))
          .map((at) => `${name} ${at}`);
      });
      expect(named).toEqual([]);
    });
  },
);

function pathsIn(schema: any, at: string): string[] {
  const within = (step: string) => (at === '' ? step : `${at}.${step}`);
  return [
    ...(at === '' ? [] : [at]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => pathsIn(member, within(name))),
    ...(schema.items ? pathsIn(schema.items, within('*')) : []),
    ...(schema.anyOf ?? []).flatMap((one: any) => pathsIn(one, at)),
  ];
}
