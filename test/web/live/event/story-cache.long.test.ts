import { afterEach, expect, it } from 'vitest';
import type { Story } from '../../../../src/web/live/answers/live-page-answers.ts';
import type { EventProbabilities } from '../../../../src/web/live/answers/live-page-intelligence.ts';
import { market, NBA, odds, schedule } from '../../../api/spec/messages.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../../support/longest-blocking.ts';
import { type LiveServer, serveLive } from '../serve-live-page.ts';

let server: LiveServer;
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const CHANGES = 4000;
const at = (second: number) =>
  new Date(Date.parse('2026-03-01T17:00:00Z') + 1000 * second).toISOString().replace('.000Z', 'Z');
const change = (number: number) =>
  odds('a', `book${number % 20}`, [market('h2h', [['home', 101 + (number % 800)]])], { at: at(number) });

/** The server, and how many records of the event were read. */
async function longEvent() {
  const read = { records: 0 };
  server = await serveLive({
    aroundLog: (log) => ({
      ...log,
      async readStream(stream, options) {
        const records = await log.readStream(stream, options);
        read.records += records.length;
        return records;
      },
    }),
  });
  await server.feed(schedule(NBA, 'a', ['Home', 'Away'], at(3600), { at: at(0) }));
  for (let from = 0; from < CHANGES; from += 1000) {
    await server.feed(...Array.from({ length: 1000 }, (_, index) => change(from + index)));
  }
  read.records = 0;
  return { read, path: `/live/events/${await server.eventId('a')}/story` };
}

it('fault 7: the story of a long event holds up nobody, and is made once for all who ask', async () => {
  const { read, path } = await longEvent();
  const { result, longest } = await longestBlocking(() =>
    Promise.all(Array.from({ length: 8 }, () => server.get<Story>(path))),
  );
  expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  for (const story of result) expect(story).toEqual(result[0]);
  expect(result[0]!.lines).toHaveLength(20);
  // Once, and the ends of its streams for each.
  expect(read.records).toBeLessThan(CHANGES + 100);

  read.records = 0;
  server.clock.time += 60_000;
  const kept = await server.get<Story>(path);
  expect(kept).toEqual({ ...result[0]!, generated_at: '2026-03-01T20:01:00Z' });
  expect(read.records).toBeLessThan(10);
});

it('fault 7: a story that has grown is made of what is new, also where that was observed before', async () => {
  const { read, path } = await longEvent();
  await server.get(path);
  for (const [second, price] of [
    [CHANGES, 555],
    [CHANGES - 701, 777],
  ] as const) {
    await server.feed(odds('a', 'book0', [market('h2h', [['home', price]])], { at: at(second) }));
    // The write side has read what decides on a late one.
    read.records = 0;
    const { lines } = await server.get<Story>(path);
    const told = lines.find(({ bookmaker }) => bookmaker.slug === 'book0')!.points;
    expect(told).toContainEqual({ at: at(second), price, point: null });
    expect(read.records).toBeLessThan(CHANGES / 4);
  }
});

it('the probabilities of a long event hold up nobody, and are no more than can be drawn', async () => {
  server = await serveLive();
  await server.feed(schedule(NBA, 'a', ['Home', 'Away'], at(2 * CHANGES), { at: at(0) }));
  const both = (number: number) =>
    odds(
      'a',
      number % 2 === 0 ? 'pinnacle' : `book${number % 20}`,
      [
        market('h2h', [
          ['home', -101 - (number % 60)],
          ['away', 100],
        ]),
      ],
      { at: at(number) },
    );
  for (let from = 0; from < CHANGES; from += 1000) {
    await server.feed(...Array.from({ length: 1000 }, (_, index) => both(from + index)));
  }
  const path = `/live/events/${await server.eventId('a')}/probabilities`;
  const { result, longest } = await longestBlocking(() =>
    Promise.all(Array.from({ length: 4 }, () => server.get<EventProbabilities>(path))),
  );
  expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  const [{ fair }] = result as [EventProbabilities];
  expect(fair.length).toBeGreaterThan(200);
  expect(fair.length).toBeLessThanOrEqual(400);
});
