import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../src/domain/webhook-types.ts';
import { createBookmakers } from '../../../src/read-models/rendering/bookmakers.ts';
import { createChangeSource } from '../../../src/webhooks/change-source.ts';
import type { WebhookSubscription } from '../../../src/webhooks/store/webhook-store.ts';
import { createSubscriptionMatcher } from '../../../src/webhooks/subscription-matcher.ts';
import { cases } from '../../support/cases.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { type Message, market, NFL, type Outcome, odds, schedule } from '../spec/messages.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const BOOKS = ['pinnacle', 'circa', 'consensus', 'fanduel', 'draftkings', 'betmgm', 'caesars'] as const;

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent({
    time: NOON,
    publishes: true,
    // Every case asks seven times.
    plans: { free: { initial_credits: 1_000_000, daily_credit_cap: null } },
  });
});
afterAll(() => server.close());

const price = fc.constantFrom(-130, -120, -110, -105, 100, 105, 110, 120, 130);
/** Prices of one book on one market, so many minutes old. */
const quoted = fc.record({
  book: fc.constantFrom(...BOOKS),
  market: fc.constantFrom('h2h', 'spreads', 'totals'),
  prices: fc.tuple(price, price),
  point: fc.constantFrom(-3, -2.5, 2.5, 3),
  minutes: fc.integer({ min: 0, max: 80 }),
});
const story = fc.record({
  quotes: fc.array(quoted, { minLength: 4, maxLength: 24 }),
  books: fc.subarray([...BOOKS], { minLength: 1 }),
  maxAge: fc.option(fc.constantFrom(60, 600, 900, 4500), { nil: undefined }),
  isStored: fc.boolean(),
});

function priced(
  ref: string,
  { book, market: key, prices: [one, other], point, minutes }: typeof quoted extends fc.Arbitrary<infer Q> ? Q : never,
): Message {
  const total = 40 + point;
  const outcomes: readonly Outcome[] =
    key === 'h2h'
      ? [
          ['home', one],
          ['away', other],
        ]
      : key === 'spreads'
        ? [
            ['home', one, point],
            ['away', other, -point],
          ]
        : [
            ['over', one, total],
            ['under', other, total],
          ];
  return odds(ref, book, [market(key, outcomes)], { at: new Date(NOON - minutes * 60_000).toISOString() });
}

/** Every book that is named anywhere in an answer, as a value or as the name of a member. */
function booksIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string' && (BOOKS as readonly string[]).includes(value)) found.add(value);
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, member] of Object.entries(value)) {
    if ((BOOKS as readonly string[]).includes(name)) found.add(name);
    booksIn(member, found);
  }
  return found;
}

/** Every age of a price in an answer, in seconds. */
function agesIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'quote_age_seconds' ? [member as number] : agesIn(member),
  );
}

const SUBSCRIPTION: WebhookSubscription = {
  id: 1,
  accountId: 1,
  scopes: ['all'],
  format: 'ledgerline',
  url: 'https://x.example',
  eventTypes: WEBHOOK_EVENT_TYPES,
  sport: null,
  eventId: null,
  filter: null,
  quietSeconds: 0,
  secret: 'whsec_',
  previousSecret: null,
  createdAt: 0,
  createdAfter: null,
  isActive: true,
  deactivated: null,
  failingSince: null,
};

/** The messages that an account with this list is sent about everything after a position. */
async function messagesSince(position: bigint, books: readonly string[]) {
  const { log, store } = server;
  const bookmakers = createBookmakers({}, SHARP_BOOK_WEIGHTS);
  const source = createChangeSource({ log, store, bookmakers });
  const subscriptions = [SUBSCRIPTION, { ...SUBSCRIPTION, id: 2, format: 'discord' as const }];
  const matcher = createSubscriptionMatcher(subscriptions, undefined, new Map([[1, books]]));
  const records: LogRecord[] = [];
  for await (const page of log.readAllFrom(toPosition(position))) records.push(...page);
  const changes = await source.mapRecords(records, matcher.isWanted, matcher.listsFor);
  return matcher.createMessages(changes, { now: NOON });
}

it('under a list no answer and no alert names a book outside it, nor a price older than `max_age`', async () => {
  let games = 0;
  const seen = { rows: 0, messages: 0 };
  await fc.assert(
    fc.asyncProperty(story, async ({ quotes, books, maxAge, isStored }) => {
      const ref = `g${++games}`;
      const start = new Date(NOON + games * 60_000).toISOString();
      const position = (await server.log.head()) ?? 0n;
      await server.feed(schedule(NFL, ref, [`Home ${ref}`, `Away ${ref}`], start, { at: '2026-03-01T05:00:00Z' }));
      await server.take(quotes.map((one) => priced(ref, one)));
      await server.published();
      const id = await server.eventId('feed', ref);
      const headers = { 'content-type': 'application/json' };
      const my_books = isStored ? books : null;
      await server.ask('/api/agent/books', { method: 'PUT', body: { my_books }, headers });
      const list = isStored ? '' : `&books=${books.join()}`;
      const age = maxAge === undefined ? '' : `&max_age=${maxAge}`;
      const isListed = (named: Iterable<string>) => [...named].every((book) => books.includes(book as never));
      for (const key of ['h2h', 'spreads', 'totals']) {
        const scans = [
          await server.get<any>(`/v1/intelligence/ev?sport=nfl&limit=200&market=${key}${list}${age}`),
          await server.get<any>(`/v1/intelligence/arbitrage?sport=nfl&limit=200&kind=all&market=${key}${list}${age}`),
        ];
        for (const { opportunities } of scans) {
          seen.rows += opportunities.length;
          expect(booksIn(opportunities)).toSatisfy(isListed);
          expect(Math.max(0, ...agesIn(opportunities))).toBeLessThanOrEqual(maxAge ?? 900);
          for (const one of opportunities) expect(one.better_elsewhere).toBeGreaterThanOrEqual(0);
        }
      }
      const summary = await server.get<any>(`/v1/events/${id}/odds/summary?bookmaker=all${list}${age}`);
      expect(booksIn(summary.bookmakers)).toSatisfy(isListed);
      for (const { bookmaker, markets } of summary.bookmakers) {
        for (const { key, outcomes } of markets) {
          const named = quotes.filter((one) => one.book === bookmaker && one.market === key);
          const youngest = 60 * Math.min(...named.map(({ minutes }) => minutes));
          const isOld = youngest > (maxAge ?? 900);
          if (isOld) expect(outcomes.map(({ current }: any) => current)).toEqual(outcomes.map(() => null));
        }
      }
      const messages = await messagesSince(position, books);
      seen.messages += messages.length;
      for (const { body } of messages) {
        expect(booksIn(JSON.parse(body))).toSatisfy(isListed);
        // In the texts for people too: a slug stands for its own name here.
        const told = BOOKS.filter((book) => new RegExp(`\\b${book}\\b`).test(body));
        expect(told).toSatisfy(isListed);
      }
    }),
    { numRuns: cases(100, 20) },
  );
  // It has seen something.
  expect(seen.rows).toBeGreaterThan(0);
  expect(seen.messages).toBeGreaterThan(0);
});
