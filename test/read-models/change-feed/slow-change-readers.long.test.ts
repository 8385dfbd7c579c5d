import { afterEach, beforeEach, expect, it } from 'vitest';
import { NFL, schedule } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import type { Message, SseClient } from '../../api/streams/sse-client.ts';
import { at, follow, games, points } from './changing.ts';

/** Long names make long messages. */
const LONG = 'Longer than any name '.repeat(10);
const BEGAN = Date.parse('2026-03-01T11:20:00Z');
const ROUNDS = 10;
const OF_A_ROUND = 1000;

let server: SpecServer;
beforeEach(async () => {
  server = await startServer();
  await server.feed(
    ...games,
    schedule(NFL, 'long', [`A ${LONG}`, `B ${LONG}`], '2026-03-01T18:00:00Z', at('08:00')),
    points('long', 0, '11:00'),
  );
});
afterEach(() => server.close());

/** The next so many changes. */
async function taken(client: SseClient, count: number): Promise<Message[]> {
  const changes: Message[] = [];
  while (changes.length < count) {
    const message = await client.next();
    if (message.event !== 'comment') changes.push(message);
  }
  return changes;
}

/** Two readers, of whom the first reads nothing while there come many more changes than any socket takes. */
async function withSlowReader(): Promise<{ readonly slow: SseClient; readonly quick: SseClient }> {
  const [slow, quick] = [await follow(server), await follow(server)];
  for (const client of [slow, quick]) await client.next();
  slow.pause();
  for (let round = 0; round < ROUNDS; round++) {
    const messages = Array.from({ length: OF_A_ROUND }, (_, n) => {
      const place = round * OF_A_ROUND + n + 1;
      return { ...points('long', place, '11:20'), at: new Date(BEGAN + place * 100).toISOString() };
    });
    await server.feed(...messages);
    // It gets what it would get if there were no other.
    await taken(quick, OF_A_ROUND);
    expect(server.composed.server.changeStreams.buffered).toBeLessThan(2 * 1024 * 1024);
  }
  return { slow, quick };
}

it('who reads nothing is written no more than a MiB, and gets the rest from the log when he reads again', async () => {
  const { slow, quick } = await withSlowReader();
  expect(server.composed.server.changeStreams.buffered).toBeGreaterThan(1024 * 1024);
  slow.resume();
  const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);
  expect(ids(await taken(slow, ROUNDS * OF_A_ROUND))).toEqual(ids(quick.received.slice(1)));
  await server.feed(points('g1', 1, '11:59'));
  expect((await taken(slow, 2)).map(({ event }) => event)).toEqual(['status', 'score']);
}, 60_000);

it('who reads nothing for 30 seconds is told so at the end of what he was written, and where to go on', async () => {
  const { slow } = await withSlowReader();
  const { changeStreams } = server.composed.server;
  server.composed.timers.advance(29_999);
  expect(changeStreams.size).toBe(2);
  server.composed.timers.advance(1);
  expect(changeStreams.size).toBe(1);
  slow.resume();
  const messages = (await slow.rest()).filter(({ event }) => event !== 'comment');
  const [last, end] = messages.slice(-2);
  expect([last, end]).toMatchObject([
    { event: 'reconnect', data: { reason: 'too_slow', max_seconds: 300 } },
    { event: 'end' },
  ]);
  const next = await follow(server, '', { 'last-event-id': last!.id! });
  await next.next();
  const rest = await taken(next, ROUNDS * OF_A_ROUND - (messages.length - 2));
  expect(rest.at(-1)!.data.data.scores[0].score).toBe(String(ROUNDS * OF_A_ROUND));
}, 60_000);
