import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effectOf } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { callOf, outcomeOf, say } from '../mcp/mcp-client.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';

let server: AgentServer;
let id: number;
beforeAll(async () => {
  server = await serveAgent();
  await server.feed(...dayOfSport(server.clock.time));
  id = await server.eventId('feed', 'g1');
});
afterAll(() => server.close());

const errorsOf = ({ body }: { readonly body: any }) => body.error.errors;
const refusal = (part: string, msg: unknown, type = 'custom') => [{ loc: [part, 'fields'], msg, type }];

describe('fields', () => {
  it('can be sent to every operation that reads and has one answer, and to no other', () => {
    for (const { name, input, streaming, ...operation } of operations) {
      const { path, query, body } = input as Record<string, any>;
      const parts = Object.entries({ path, query, body }).filter(([, schema]) => schema && 'fields' in schema.shape);
      const expected =
        effectOf(operation) !== 'reads' || streaming ? [] : operation.method === 'GET' ? 'query' : 'body';
      expect([name, parts.map(([part]) => part)]).toEqual([name, [expected].flat()]);
    }
  });

  it('leave the members that are named, through lists, beside totals and cursors', async () => {
    const whole = await server.get('/v1/events?limit=3');
    const { events, total, next_after_id } = await server.get('/v1/events?limit=3&fields=events.id,events.venue.name');
    expect(events).toEqual(whole.events.map((one: any) => ({ id: one.id, venue: { name: one.venue.name } })));
    expect([total, next_after_id]).toEqual([whole.total, whole.next_after_id]);
    expect(await server.get('/v1/events?limit=3&fields=next_after_id')).toEqual({ total, next_after_id });
    const { data, ...rest } = await server.get('/v1/teams?limit=1&fields=data.name');
    expect([Object.keys(data[0]), Object.keys(rest)]).toEqual([['name'], ['has_more', 'next_after_id']]);
    const changes = await server.get('/v1/changes?limit=1&fields=changes.type');
    expect(Object.keys(changes)).toEqual(['changes', 'next_after', 'has_more']);
  });

  it('reach the outcomes of odds, and keep whether there are any', async () => {
    const whole = await server.get(`/v1/events/${id}/odds?bookmaker=all`);
    const odds = await server.get(`/v1/events/${id}/odds?bookmaker=all&fields=bookmakers.markets.outcomes.price`);
    expect(odds).toEqual({
      available: true,
      bookmakers: whole.bookmakers.map(({ markets }: any) => ({
        markets: markets.map(({ outcomes }: any) => ({ outcomes: outcomes.map(({ price }: any) => ({ price })) })),
      })),
    });
  });

  it('leave null where a member is named below it, and what is not there away', async () => {
    const answer = await server.get(`/v1/events/${id}?fields=competition.name,odds.bookmakers`);
    expect(answer).toEqual({ competition: null });
  });

  it('take a map as a whole, whose keys are data', async () => {
    const path = `/v1/events/${id}/player-props`;
    const { player_props: props } = await server.get(`${path}?bookmaker=all&fields=player_props.books`);
    expect(Object.keys(props[0])).toEqual(['books']);
    expect(Object.keys(props[0].books).length).toBeGreaterThan(0);
    const refused = await server.ask(`${path}?fields=player_props.books.pinnacle`);
    expect([refused.status, refused.credits]).toEqual([422, 0]);
    expect(errorsOf(refused)).toEqual(
      refusal(
        'query',
        '"player_props.books.pinnacle" is no member of the answer: player_props.books can only be had as a whole',
      ),
    );
  });

  it.each<[search: string, msg: string | RegExp]>([
    ['fields=', 'must name a member of the answer'],
    ['fields=,%20,', 'must name a member of the answer'],
    ['fields=events.nope', /^"events\.nope" is no member of the answer: events has id, name, sport, /],
    ['fields=nope.id', '"nope.id" is no member of the answer: the answer has events, total, next_after_id'],
    ['fields=events..id', /^"events\.\.id" is no member/],
    ['fields=Events', /^"Events" is no member/],
    ['fields=__proto__', /^"__proto__" is no member/],
    [`fields=${'x'.repeat(2001)}`, 'must have at most 2000 characters'],
    [`fields=${Array.from({ length: 101 }, (_, index) => index)}`, 'must name at most 100 members'],
  ])('that name nothing are 422, and free: %.60s', async (search, msg) => {
    const refused = await server.ask(`/v1/events?${search}`);
    expect([refused.status, refused.credits]).toEqual([422, 0]);
    const type = search.length > 2000 ? 'too_big' : 'custom';
    expect(errorsOf(refused)).toEqual(
      refusal('query', typeof msg === 'string' ? msg : expect.stringMatching(msg), type),
    );
  });

  it('are refused by each path that is no member, and once in a query', async () => {
    const two = await server.ask('/v1/events?fields=a,events.id,b');
    expect(errorsOf(two).map(({ msg }: any) => msg.slice(0, 3))).toEqual(['"a"', '"b"']);
    const repeated = await server.ask('/v1/events?fields=events&fields=total');
    expect(errorsOf(repeated)).toEqual(refusal('query', 'must not be given more than once', 'repeated'));
  });

  it('may have blanks, repetitions and members of members: those change nothing, and the tag stays', async () => {
    const [one, other] = await Promise.all([
      server.ask(`/v1/events/${id}?fields=venue,id`),
      server.ask(`/v1/events/${id}?fields=${encodeURIComponent('id, venue.name ,venue,,id')}`),
    ]);
    expect(one.body).toEqual(other.body);
    expect(one.headers.get('etag')).toBe(other.headers.get('etag'));
  });

  it('have a tag of their own, which is answered by 304, and cost what the whole answer costs', async () => {
    const whole = await server.ask(`/v1/events/${id}?include_odds=true&bookmaker=all`);
    const some = await server.ask(`/v1/events/${id}?include_odds=true&bookmaker=all&fields=name`);
    const others = await server.ask(`/v1/events/${id}?include_odds=true&bookmaker=all&fields=sport`);
    expect(some.body).toEqual({ name: whole.body.name });
    expect([some.credits, others.credits]).toEqual([whole.credits, whole.credits]);
    const tags = [whole, some, others].map(({ headers }) => headers.get('etag')!);
    expect(new Set(tags).size).toBe(3);
    expect(some.headers.get('cache-control')).toBe(whole.headers.get('cache-control'));
    for (const [path, tag, status] of [
      ['&fields=name', tags[1]!, 304],
      ['&fields=name', tags[0]!, 200],
      ['&fields=sport', tags[1]!, 200],
      ['', tags[1]!, 200],
    ] as const) {
      const again = await server.ask(`/v1/events/${id}?include_odds=true&bookmaker=all${path}`, {
        headers: { 'if-none-match': tag },
      });
      expect([path, again.status]).toEqual([path, status]);
    }
  });

  it('are free where the whole answer is: it is not available', async () => {
    const { body, credits } = await server.ask(`/v1/events/${id}/odds?bookmaker=nobody&fields=bookmakers`);
    expect([body, credits]).toEqual([{ available: false, bookmakers: [] }, 0]);
  });

  it('are a member of the body where an operation that reads has one', async () => {
    const ids = { event_ids: [id, 987_654] };
    const batch = await server.post('/v1/events/batch', { ...ids, fields: 'events.name,not_found' });
    expect(batch.body).toEqual({ events: [{ name: expect.any(String) }], not_found: [987_654], total: 1 });
    expect(batch.credits).toBe(1);
    const none = await server.post('/v1/events/batch', { ...ids, fields: 'not_found' });
    expect([none.status, none.body, none.credits]).toEqual([200, { not_found: [987_654], total: 1 }, 1]);
    const query = await server.post('/v1/query', { query: 'nfl', limit: 1, fields: 'interpreted.sport,events.id' });
    expect(query.body).toMatchObject({ interpreted: { sport: 'nfl' }, events: [{ id }] });
    expect(Object.keys(query.body)).toEqual(['interpreted', 'events', 'total', 'next_after_id']);
    const team = await server.post('/v1/resolve/team', { query: 'Chiefs', fields: 'team_id' });
    expect(team.body).toEqual({ team_id: expect.any(Number) });
    const player = await server.post('/v1/resolve/player', { query: 'Patrick Mahomes', fields: 'status' });
    expect(player.body).toEqual({ status: 'resolved' });
    const slip = await server.post('/v1/grade/slip', { text: 'Chiefs ML', fields: 'status,legs.result' });
    expect(Object.keys(slip.body).sort()).toEqual(['legs', 'status']);
    const plan = { calls: [{ tool: 'get_event', arguments: { id, fields: 'name' } }] };
    expect((await server.post('/v1/estimate', { ...plan, fields: 'total_max_credits' })).body).toEqual({
      total_max_credits: 1,
    });
    for (const fields of [null, 5, ['events']]) {
      const refused = await server.post('/v1/events/batch', { ...ids, fields });
      expect(errorsOf(refused)).toEqual(refusal('body', 'must be a string', 'invalid_type'));
    }
    const refused = await server.post('/v1/events/batch', { ...ids, fields: 'events.nope' });
    expect(errorsOf(refused)).toEqual(refusal('body', expect.stringContaining('"events.nope"')));
  });

  it('are read by the estimate as by the call', async () => {
    const { status, body } = await server.post('/v1/estimate', {
      calls: [
        { tool: 'get_event', arguments: { id, fields: 'name' } },
        { tool: 'get_event', arguments: { id, fields: 'nope' } },
        { tool: 'estimate_cost', arguments: { calls: [{ tool: 'get_event', arguments: { id, fields: 'no' } }] } },
      ],
    });
    expect(status).toBe(422);
    expect(body.error.errors.map(({ loc }: any) => loc)).toEqual([
      ['body', 'calls', 1, 'arguments', 'fields'],
      ['body', 'calls', 2, 'arguments', 'calls', 0, 'arguments', 'fields'],
    ]);
  });

  it('are an argument of tools, whether they are listed or not', async () => {
    const whole = outcomeOf(await say(server, callOf('get_event', { id })));
    const some = outcomeOf(await say(server, callOf('get_event', { id, fields: 'name,venue.city' })));
    expect(some).toMatchObject({ isError: false, credits: whole.credits });
    expect(some.value).toEqual({ name: whole.value.name, venue: { city: whole.value.venue.city } });
    const posted = outcomeOf(await say(server, callOf('resolve_team', { query: 'Chiefs', fields: 'sport' })));
    expect(posted.value).toEqual({ sport: 'nfl' });
    const refused = outcomeOf(await say(server, callOf('get_event', { id, fields: 'nope' })));
    expect(refused.error).toMatchObject({ status: 422, errors: [{ loc: ['query', 'fields'] }] });
  });

  it('go with JSON only: a table has its columns in their places', async () => {
    const reason = (name: string) => `goes with JSON only: an answer as ${name} always has everything, in its place`;
    for (const [path, headers, name] of [
      ['/v1/events?fields=events.id&format=csv', {}, 'csv'],
      ['/v1/events?fields=events.id&format=ics', {}, 'ics'],
      ['/v1/events?fields=events.id', { accept: 'text/csv' }, 'csv'],
    ] as const) {
      const refused = await server.ask(path, { headers });
      expect([path, refused.status, refused.credits]).toEqual([path, 422, 0]);
      expect(errorsOf(refused)).toEqual(refusal('query', reason(name), 'invalid_value'));
    }
    const posted = await server.post('/v1/events/batch?format=csv', { event_ids: [id], fields: 'events.id' });
    expect([posted.status, errorsOf(posted)]).toEqual([422, refusal('body', reason('csv'), 'invalid_value')]);
    expect((await server.ask('/v1/events?fields=events.id&format=json')).status).toBe(200);
  });

  it('stand in links as in the path that a link reads', async () => {
    const path = `/v1/events/${id}?fields=name`;
    const { body } = await server.post('/api/agent/links', { path, format: 'json' });
    const opened = await fetch(body.url.replace('https://sports.example', server.url));
    expect(await opened.json()).toEqual(await server.get(path));
    for (const [given, format] of [
      ['/v1/events?fields=nope', 'json'],
      ['/v1/events?fields=events.id', 'csv'],
    ]) {
      const refused = await server.post('/api/agent/links', { path: given, format });
      expect([refused.status, errorsOf(refused)[0].loc]).toEqual([422, ['body', 'path']]);
      expect(errorsOf(refused)[0].msg).toMatch(/^fields: /);
    }
  });
});
