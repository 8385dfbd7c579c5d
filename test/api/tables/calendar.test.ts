import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCalendar } from '../../../src/platform/icalendar.ts';
import { assumedResultTime } from '../../../src/sources/parsing/assumed-times.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { ATP, EPL, NFL, schedule, score } from '../spec/messages.ts';
import { readCalendar } from './read-calendar.ts';

let server: AgentServer;

beforeAll(async () => {
  server = await serveAgent();
});
afterAll(() => server.close());

/** Feeds a message as of the next minute. */
async function feed(message: ReturnType<typeof schedule>): Promise<void> {
  server.clock.time += 60_000;
  await server.feed({ ...message, at: new Date(server.clock.time).toISOString().replace('.000Z', 'Z') });
}

async function calendarOf(path: string) {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } });
  expect([path, response.status, response.headers.get('content-type')]).toEqual([
    path,
    200,
    'text/calendar; charset=utf-8',
  ]);
  return { entries: readCalendar(await response.text()).map(({ properties }) => properties), response };
}

async function entry(league: string) {
  const { entries } = await calendarOf(`/v1/events?league=${league}&format=ics`);
  expect(entries).toHaveLength(1);
  return entries[0]!;
}

const START = '2026-03-05T20:00:00Z';

describe('an event in a calendar', () => {
  it('has its name, place and start, and is three hours long', async () => {
    const venue = { name: 'Arrowhead, the Stadium; west', city: 'Kansas City' };
    await feed(schedule(NFL, 'c1', ['Kansas City Chiefs', 'Buffalo Bills'], START, { venue, broadcast: 'CBS' }));
    expect(await entry('nfl')).toMatchObject({
      UID: `event-${await server.eventId('feed', 'c1')}@ledgerline`,
      SEQUENCE: '0',
      DTSTART: '20260305T200000Z',
      DTEND: '20260305T230000Z',
      STATUS: 'CONFIRMED',
      SUMMARY: 'Buffalo Bills at Kansas City Chiefs',
      LOCATION: 'Arrowhead, the Stadium; west, Kansas City',
      CATEGORIES: 'nfl',
    });
  });

  it('keeps its UID and raises its SEQUENCE as it is moved, postponed and cancelled', async () => {
    const { UID, SEQUENCE: first } = await entry('nfl');
    const seen = [Number(first)];
    const next = async (status: string, start: string) => {
      const now = await entry('nfl');
      expect([now['UID'], now['STATUS'], now['DTSTART']]).toEqual([UID, status, start]);
      seen.push(Number(now['SEQUENCE']));
      expect(seen.at(-1)).toBeGreaterThan(seen.at(-2)!);
    };
    const moved = '2026-03-06T01:00:00Z';
    const sides = ['Kansas City Chiefs', 'Buffalo Bills'] as const;
    await feed(schedule(NFL, 'c1', [...sides], moved));
    await next('CONFIRMED', '20260306T010000Z');
    await feed(schedule(NFL, 'c1', [...sides], moved, { status: 'postponed' }));
    await next('TENTATIVE', '20260306T010000Z');
    await feed(schedule(NFL, 'c1', [...sides], moved, { status: 'cancelled' }));
    await next('CANCELLED', '20260306T010000Z');
  });

  it('whose result was imported is three hours long: the time of such a result is its importer’s', async () => {
    const bills = ['Kansas City Chiefs', 'Buffalo Bills'] as const;
    await server.feed({ ...schedule(NFL, 'old', [...bills], '2023-01-01T18:00:00Z'), at: '2022-12-25T18:00:00Z' });
    await server.feed({
      ...score('old', 'final', ['27', '24']),
      at: assumedResultTime(Date.parse('2023-01-01T18:00:00Z')),
    });
    const { entries } = await calendarOf('/v1/events?league=nfl&date=2023-01-01&format=ics');
    expect(entries).toMatchObject([{ DTSTART: '20230101T180000Z', DTEND: '20230101T210000Z' }]);
  });

  it('shows the score after the end, and a score in play moves nothing', async () => {
    await feed(schedule(EPL, 'c2', ['Arsenal', 'Chelsea'], '2026-03-01T12:10:00Z'));
    await feed(score('c2', 'inprogress', ['0', '0'], { period: '1H' }));
    const before = await entry('epl');
    await feed(score('c2', 'inprogress', ['1', '0'], { period: '1H' }));
    expect(await entry('epl')).toEqual(before);
    expect(before['SUMMARY']).toBe('Arsenal v. Chelsea');
    server.clock.time += 110 * 60_000;
    await feed(score('c2', 'final', ['2', '1'], { result_type: 'regulation' }));
    const after = await entry('epl');
    expect(after['SUMMARY']).toBe('Arsenal 2 v. Chelsea 1');
    expect(Number(after['SEQUENCE'])).toBe(Number(before['SEQUENCE']) + 1);
    // The end is known by now.
    expect(after['DTEND']).toBe(new Date(server.clock.time).toISOString().replaceAll(/[-:]|\.000/g, ''));
    await feed(score('c2', 'final', ['2', '2'], { result_type: 'regulation' }));
    expect(Number((await entry('epl'))['SEQUENCE'])).toBe(Number(after['SEQUENCE']) + 1);
  });

  it('whose start is not known takes the day', async () => {
    const sides = ['Carlos Alcaraz', 'Jannik Sinner'] as const;
    await feed(schedule(ATP, 'c3', [...sides], '2026-03-07T00:00:00Z', { starts_at_qualifier: 'tbd' }));
    expect(await entry('atp')).toMatchObject({ 'DTSTART;VALUE=DATE': '20260307', 'DTEND;VALUE=DATE': '20260308' });
    const players = (await server.get('/v1/players')).data as { id: number }[];
    const { entries } = await calendarOf(`/v1/players/${players[0]!.id}/events?format=ics`);
    expect(entries).toEqual([await entry('atp')]);
  });

  it('is priced as JSON is, comes in pages, and has a tag of its own', async () => {
    const { response, entries } = await calendarOf('/v1/events?limit=1&format=ics');
    expect([entries.length, response.headers.get('x-credits-used')]).toEqual([1, '1']);
    expect(response.headers.get('link')).toContain('rel="next"');
    const held = await fetch(response.url, {
      headers: { authorization: `Bearer ${server.key}`, 'if-none-match': response.headers.get('etag')! },
    });
    expect([held.status, held.headers.get('x-credits-used'), held.headers.get('vary')]).toEqual([
      304,
      '0',
      'Accept, Authorization',
    ]);
    expect((await calendarOf('/v1/events?league=none&format=ics')).entries).toEqual([]);
    expect((await server.ask('/v1/teams?format=ics')).status).toBe(422);
  });
});

it('a calendar of the demo says that it is simulated, and so does each of its entries', async () => {
  const demo = await serveAgent({ simulated: () => true });
  try {
    await demo.feed(schedule(NFL, 'd1', ['Kansas City Chiefs', 'Buffalo Bills'], START));
    const headers = { authorization: `Bearer ${demo.key}` };
    const text = await (await fetch(`${demo.url}/v1/events?format=ics`, { headers })).text();
    expect(text).toContain('X-WR-CALNAME:Ledgerline (simulated)\r\n');
    expect(readCalendar(text)[0]!.properties).toMatchObject({
      SUMMARY: 'Buffalo Bills at Kansas City Chiefs (simulated)',
      DESCRIPTION: expect.stringMatching(/^Simulated: the games on this server are invented\. /),
    });
  } finally {
    await demo.close();
  }
});

it('a calendar holds to RFC 5545, whatever its texts are', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a;b,c\\d', 'a\r\nEND:VEVENT\r\nb', '🏈'.repeat(40), 'x'.repeat(200), '\u0000\u0007\t'),
  );
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (summary, location) => {
      const one = { uid: 'event-1@ledgerline', sequence: 3, changedAt: 0, start: 0, end: 1000 };
      const written = await writeCalendar('Games, all', [
        { ...one, status: 'CONFIRMED', summary, location, description: null, categories: ['nfl'] },
      ]);
      const [read] = readCalendar(written);
      // Line ends become line feeds, and other control characters are no text.
      const kept = (text: string) =>
        text
          .replaceAll(/\r\n?/g, '\n')
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be sent
          .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
      expect([read!.properties['SUMMARY'], read!.properties['LOCATION']]).toEqual([kept(summary), kept(location)]);
    }),
  );
});
