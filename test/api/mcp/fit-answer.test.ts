import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitAnswer } from '../../../src/api/mcp/fit-answer.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { market, NBA, odds, schedule } from '../spec/messages.ts';
import { callOf, say } from './mcp-client.ts';
import { callTool } from './modern/modern-client.ts';

const GAMES = 60;
const BOOKS = ['pinnacle', 'fanduel', 'draftkings', 'betmgm', 'caesars', 'bet365'];

let server: AgentServer;
let priced: number;
beforeAll(async () => {
  server = await serveAgent();
  const startOf = (index: number) => new Date(Date.UTC(2026, 2, 1, 18) + index * 86_400_000).toISOString();
  await server.feed(
    ...Array.from({ length: GAMES }, (_, index) =>
      schedule(NBA, `g${index}`, ['Boston Celtics', 'New York Knicks'], startOf(index).replace('.000', '')),
    ),
  );
  const lines = [
    market('h2h', [
      ['home', -110],
      ['away', -110],
    ]),
  ];
  await server.feed(...BOOKS.map((book) => odds('g0', book, lines, { at: '2026-03-01T10:00:00Z' })));
  priced = await server.eventId('feed', 'g0');
});
afterAll(() => server.close());

const textOf = (body: any): string => body.result.content[0].text;

describe('an answer that is longer than max_tokens', () => {
  it('is cut at a whole row, and its cursor goes on after it: all rows come once', async () => {
    const seen: number[] = [];
    let after: number | null = null;
    do {
      const page = { sport: 'nba', limit: 100, max_tokens: 500, ...(after === null ? {} : { after_id: after }) };
      const { body } = await callTool(server, 'list_events', page);
      const answer = JSON.parse(textOf(body));
      expect(textOf(body).length).toBeLessThanOrEqual(2000);
      expect(answer.total).toBe(answer.events.length);
      expect(body.result.structuredContent).toEqual(answer);
      seen.push(...answer.events.map(({ id }: { id: number }) => id));
      after = answer.next_after_id;
      expect(answer.truncated).toBe(after === null ? undefined : true);
    } while (after !== null);
    expect(seen).toHaveLength(GAMES);
    expect(new Set(seen).size).toBe(GAMES);
  });

  it('keeps one row, however few tokens there are', async () => {
    const { body } = await callTool(server, 'list_events', { sport: 'nba', max_tokens: 1 });
    expect(JSON.parse(textOf(body))).toMatchObject({ events: [{ sport: 'nba' }], truncated: true });
  });

  it('is cut in its longest list where it has no cursor, for its own price', async () => {
    const whole = await callTool(server, 'get_odds', { id: priced, bookmaker: 'all' });
    const { bookmakers } = JSON.parse(textOf(whole.body));
    const cut = await callTool(server, 'get_odds', { id: priced, bookmaker: 'all', max_tokens: 250 });
    const answer = JSON.parse(textOf(cut.body));
    expect(answer.truncated).toBe(true);
    expect(answer.bookmakers).toEqual(bookmakers.slice(0, answer.bookmakers.length));
    expect(answer.bookmakers.length).toBeGreaterThan(0);
    expect(answer.bookmakers.length).toBeLessThan(BOOKS.length);
    expect(cut.body.result._meta.credits_used).toBe(2);
  });

  it('of a POST is cut too', async () => {
    const { body } = await callTool(server, 'query_events', { query: 'nba march', limit: 100, max_tokens: 300 });
    expect(textOf(body).length).toBeLessThanOrEqual(1200);
    expect(JSON.parse(textOf(body))).toMatchObject({ truncated: true, next_after_id: expect.any(Number) });
  });

  it('is not cut for a client that names no toolset', async () => {
    const { body } = await say(server, callOf('list_events', { sport: 'nba', limit: 100, max_tokens: 10 }));
    expect(JSON.parse(textOf(body)).events).toHaveLength(GAMES);
  });

  it.each([0, -1, 20_001, 1.5, '100'])('is refused as %j: 422', async (most) => {
    const { body } = await callTool(server, 'list_events', { max_tokens: most });
    const { error } = JSON.parse(textOf(body));
    expect([error.status, error.errors[0].loc]).toEqual([422, ['query', 'max_tokens']]);
  });
});

it('what fits is left as it is; what does not is a prefix of every list, and fits or has one row in each', () => {
  const row = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.record({ a: fc.string(), b: fc.array(fc.integer(), { maxLength: 8 }) }),
  );
  const answer = fc.record({
    total: fc.nat(),
    rows: fc.array(row, { maxLength: 30 }),
    more: fc.array(row, { maxLength: 5 }),
  });
  fc.assert(
    fc.property(answer, fc.integer({ min: 1, max: 400 }), (given, tokens) => {
      const before = JSON.stringify(given);
      const fitted: any = fitAnswer(given, tokens);
      expect(JSON.stringify(given)).toBe(before);
      const { truncated, ...rest } = fitted;
      expect(truncated).toBe(before.length > tokens * 4 && JSON.stringify(rest) !== before ? true : undefined);
      expectPrefix(rest, given);
      if (JSON.stringify(fitted).length > tokens * 4) expectNoLongList(rest);
    }),
  );
});

function expectPrefix(cut: unknown, whole: unknown): void {
  if (typeof cut !== 'object' || cut === null) {
    expect(cut).toEqual(whole);
    return;
  }
  if (Array.isArray(cut)) expect(cut.length).toBeLessThanOrEqual((whole as unknown[]).length);
  else expect(Object.keys(cut)).toEqual(Object.keys(whole as object));
  for (const [name, value] of Object.entries(cut)) expectPrefix(value, (whole as Record<string, unknown>)[name]);
}

function expectNoLongList(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) expect(value.length).toBeLessThan(2);
  for (const member of Object.values(value)) expectNoLongList(member);
}

it('counts only what `fields` leaves of an answer', async () => {
  const asked = { sport: 'nba', limit: 100, fields: 'events.id', max_tokens: 250 };
  const { body } = await callTool(server, 'list_events', asked);
  const answer = JSON.parse(textOf(body));
  expect(answer.events.length).toBeGreaterThan(40);
  expect(textOf(body).length).toBeLessThanOrEqual(1000);
  const shorter = await callTool(server, 'list_events', { ...asked, max_tokens: 50 });
  expect(JSON.parse(textOf(shorter.body))).toMatchObject({ truncated: true, next_after_id: expect.any(Number) });
  expect(Object.keys(JSON.parse(textOf(shorter.body)).events[0])).toEqual(['id']);
});
