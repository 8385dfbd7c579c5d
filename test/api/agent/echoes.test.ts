import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaksIn } from './leaks.ts';
import { type AgentServer, serveAgent } from './serving.ts';

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent();
});
afterAll(() => server.close());

describe('an error answer repeats no key that stands where none belongs', () => {
  type Row = [name: string, path: (key: string) => string];
  const REFUSED: Row[] = [
    ['a path', (key) => `/v1/${key}`],
    ['an id', (key) => `/v1/events/${key}`],
    ['a number', (key) => `/v1/events?limit=${key}`],
    ['a status', (key) => `/v1/events?status=${key}`],
    ['a date', (key) => `/v1/events?date=${key}`],
    ['a moment', (key) => `/v1/events/1?as_of=${key}`],
    ['a sort', (key) => `/v1/events?sort=${key}`],
  ];
  const QUOTED: Row[] = [
    // Which answers anybody, without a key.
    ['the page of an error', (key) => `/docs/errors/${key}`],
    ['exclude_status', (key) => `/v1/events/1/injuries?exclude_status=${key}`],
  ];
  const leaksOf = async (path: string): Promise<readonly string[]> => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    return leaksIn(await response.text(), [server.key.slice(17)]);
  };

  it.each(REFUSED)('%s', async (_, path) => {
    expect(await leaksOf(path(server.key))).toEqual([]);
  });

  it.each(QUOTED)('%s', async (_, path) => {
    expect(await leaksOf(path(server.key))).toEqual([]);
  });
});

describe('nothing that contains a key is stored', () => {
  it('a request id is made anew', async () => {
    const headers = { authorization: `Bearer ${server.key}`, 'x-request-id': server.key };
    const response = await fetch(`${server.url}/v1/sports`, { headers });
    expect(leaksIn(JSON.stringify([...response.headers]), [server.key.slice(17)])).toEqual([]);
  });

  it.each([
    ['an Idempotency-Key', (key: string) => ({ body: { name: 'x' }, headers: { 'idempotency-key': key } })],
    ['the name of a key', (key: string) => ({ body: { name: `mine ${key}` }, headers: {} })],
  ])('%s is refused', async (_, request) => {
    const { body, headers } = request(server.key);
    const answer = await server.post('/api/agent/keys', body, { headers });
    expect(answer.status).toBe(422);
    expect(leaksIn(JSON.stringify(answer.body), [server.key.slice(17)])).toEqual([]);
  });
});
