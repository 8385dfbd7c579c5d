import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatCost, type Operation } from '../../../src/api/calls/operation/operation.ts';
import { clientOf } from '../../../src/api/client/create-client.ts';
import { readClientOperations } from '../../../src/api/client-generator/client-operations.ts';
import { openApiDocument } from '../../../src/api/openapi/openapi-document.ts';
import { json, scriptedClient, scriptedFetch } from './scripted-fetch.ts';

const page = (ids: readonly number[], next: number | null) =>
  json({ events: ids.map((id) => ({ id })), total: ids.length, next_after_id: next });

describe('every item of a list', () => {
  it('comes page by page, with the same arguments', async () => {
    const { client, requests } = scriptedClient([page([1, 2], 2), page([3], 3), page([], null)]);
    const ids: number[] = [];

    for await (const event of client.each.listEvents({ sport: 'nba', limit: 2 })) ids.push(event.id);

    expect(ids).toEqual([1, 2, 3]);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?sport=nba&limit=2',
      '?sport=nba&after_id=2&limit=2',
      '?sport=nba&after_id=3&limit=2',
    ]);
  });

  it('asks for no page before its items are wanted', async () => {
    const { client, requests } = scriptedClient([page([1, 2], 2), page([3], null)]);
    const items = client.each.listEvents();
    expect(requests).toHaveLength(0);
    for await (const { id } of items) if (id === 2) break;
    expect(requests).toHaveLength(1);
  });

  it('goes on from a cursor', async () => {
    const { client, requests } = scriptedClient([page([8], null)]);
    for await (const _ of client.each.listEvents({ after_id: 7 }));
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?after_id=7']);
  });

  it('fails as the call that gets its page', async () => {
    const { client } = scriptedClient([page([1], 1), json({}, 404)]);
    const seen: number[] = [];
    const walk = async () => {
      for await (const { id } of client.each.listEvents()) seen.push(id);
    };
    await expect(walk()).rejects.toMatchObject({ status: 404 });
    expect(seen).toEqual([1]);
  });
});

describe('every item of a list that is asked for in words', () => {
  const output = z.object({
    events: z.array(z.object({ id: z.int() })),
    next_after_id: z.int().nullable(),
    equivalent_request: z.string(),
  });
  const search: Operation = {
    name: 'search_events',
    method: 'POST',
    path: '/v1/search',
    tag: 'Toys',
    summary: 'Search.',
    cost: flatCost(1),
    input: { body: z.object({ query: z.string() }) },
    output,
    run: async () => ({}),
  };
  const shapes = async () => {
    const [read] = readClientOperations(await openApiDocument([search], 'https://sports.example'));
    return {
      searchEvents: { method: 'POST', path: read!.path, body: read!.body!, pages: read!.pages!.member } as const,
    };
  };

  const searching = async (answers: readonly Response[]) => {
    const { requests, fetch } = scriptedFetch(...answers);
    const options = { baseUrl: 'https://sports.example', apiKey: 'k', fetch };
    const { each } = clientOf(await shapes(), options) as {
      each: { searchEvents(given: object): AsyncIterable<{ id: number }> };
    };
    const walk = async (given: object) => {
      const ids: number[] = [];
      for await (const { id } of each.searchEvents(given)) ids.push(id);
      return ids;
    };
    return { requests, walk };
  };

  it('has the same fields on every page', async () => {
    const first = json({ events: [{ id: 1 }], next_after_id: 1, equivalent_request: 'GET /v1/events' });
    const { requests, walk } = await searching([first, page([2], null)]);
    const fields = 'equivalent_request, events.id,events.name';
    expect(await walk({ query: 'nba', fields })).toEqual([1, 2]);
    expect(new URL(requests[1]!.url).searchParams.get('fields')).toBe('events.id,events.name');
  });

  it.each([
    ['fields without the list', { next_after_id: 1 }, 'fields must name events'],
    ['fields without the request of further pages', { events: [], next_after_id: 1 }, 'must name equivalent_request'],
    [
      'a player, whose list has other items',
      { events: [], next_after_id: 1, equivalent_request: 'GET /v1/players/5/events' },
      'each.getPlayerEvents has them',
    ],
  ])('says why it ends: %s', async (_, first, message) => {
    const { requests, walk } = await searching([json(first)]);
    await expect(walk({ query: 'nba', fields: 'x' })).rejects.toThrow(message);
    expect(requests).toHaveLength(1);
  });

  it('has none where a name is ambiguous', async () => {
    const { walk } = await searching([json({ events: [], next_after_id: null, equivalent_request: null })]);
    expect(await walk({ query: 'giants' })).toEqual([]);
  });

  it.each([
    ['GET /v1/events?sport=nba&limit=1', '/v1/events?sport=nba&limit=1&after_id=1'],
    ['GET /v1/events', '/v1/events?after_id=1'],
  ])('comes from the list that the words stand for: %s', async (equivalent, next) => {
    const first = json({ events: [{ id: 1 }], next_after_id: 1, equivalent_request: equivalent });
    const { requests, fetch } = scriptedFetch(first, page([2], 2), page([3], null));
    const options = { baseUrl: 'https://sports.example', apiKey: 'k', fetch };
    const client = clientOf(await shapes(), options) as {
      each: { searchEvents(given: object): AsyncIterable<{ id: number }> };
    };
    const ids: number[] = [];

    for await (const { id } of client.each.searchEvents({ query: 'nba' })) ids.push(id);

    expect(ids).toEqual([1, 2, 3]);
    expect(requests.map(({ method, url }) => `${method} ${url.replace('https://sports.example', '')}`)).toEqual([
      'POST /v1/search',
      `GET ${next}`,
      `GET ${next.replace('after_id=1', 'after_id=2')}`,
    ]);
  });
});
