import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { EPL, type Message, market, NFL, odds, schedule, score } from '../api/spec/messages.ts';
import { at, moneyline, twoWay } from './price-messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T12:00:00Z') });
});
afterEach(() => server.close());

const read = async (query = ''): Promise<any> =>
  server.get(`/v1/events/${await server.eventId('feed', 'g1')}/intelligence${query}`, BOOTSTRAP_KEY);

/** A game that was played on a day of February, three hours long. */
const played = (
  day: number,
  [home, away]: readonly [string, string],
  scores: readonly [string, string],
  league = NFL,
) => {
  const date = `2026-02-${String(day).padStart(2, '0')}`;
  return [
    schedule(league, `past-${day}`, [home, away], `${date}T22:00:00Z`, { at: `${date}T10:00:00Z` }),
    score(`past-${day}`, 'final', scores, { at: `${date}T23:59:00Z` }),
  ];
};
const event = (league: typeof NFL, home: string, away: string): Message =>
  schedule(league, 'g1', [home, away], '2026-03-01T18:00:00Z', at('05:00'));

describe('the facts of an event', () => {
  it('are form, rest, meetings and the market, home first', async () => {
    await server.feed(
      event(NFL, 'Chiefs', 'Broncos'),
      ...played(1, ['Chiefs', 'Broncos'], ['20', '10']),
      ...played(8, ['Broncos', 'Chiefs'], ['30', '10']),
      ...played(15, ['Chiefs', 'Raiders'], ['24', '7']),
      ...played(22, ['Raiders', 'Chiefs'], ['17', '17']),
      moneyline('pinnacle', -150, 130, '11:59'),
      moneyline('circa', -150, 130, '11:59'),
    );
    const { rationale, match_overview } = await read();
    expect(rationale).toEqual([
      'Chiefs: 2-1 in the last 4',
      'Broncos: 1-1 in the last 2',
      'Chiefs: 7 days since the last game',
      'Broncos: 21 days since the last game',
      'Head to head: Chiefs 1, Broncos 1 in the last 2',
      'Market: Chiefs 58% from 2 books',
    ]);
    expect(match_overview).toBe(`Broncos at Chiefs. ${rationale.join('. ')}.`);
  });

  it('cover the last five games, even without prices', async () => {
    const meetings = [3, 7, 11, 15, 19, 23].flatMap((day) =>
      played(day, ['Arsenal', 'Chelsea'], day === 3 ? ['0', '1'] : day === 7 ? ['1', '1'] : ['2', '0'], EPL),
    );
    await server.feed(event(EPL, 'Arsenal', 'Chelsea'), ...meetings);
    const { available, rationale, match_overview } = await read();
    expect([available, rationale]).toEqual([
      false,
      [
        'Arsenal: 4-1-0 in the last 5',
        'Chelsea: 0-1-4 in the last 5',
        'Arsenal: 6 days since the last game',
        'Chelsea: 6 days since the last game',
        'Head to head: Arsenal 4, Chelsea 0 in the last 5',
      ],
    ]);
    expect(match_overview).toMatch(/^Arsenal v\. Chelsea\. Arsenal: 4-1-0 in the last 5\. .* in the last 5\.$/);
  });

  it('name the draw if it is the likeliest', async () => {
    await server.feed(
      event(EPL, 'Arsenal', 'Chelsea'),
      odds('g1', 'pinnacle', [market('h2h', [...twoWay(220, 230), ['draw', 150]])], at('11:59')),
    );
    expect((await read()).rationale).toEqual([expect.stringMatching(/^Market: Draw 3\d% from 1 book$/)]);
  });

  it('count whole days between dates, however late the games were', async () => {
    await server.feed(event(NFL, 'Chiefs', 'Broncos'), ...played(28, ['Chiefs', 'Raiders'], ['20', '10']));
    expect((await read()).rationale).toEqual(['Chiefs: 1-0 in the last 1', 'Chiefs: 1 day since the last game']);
  });

  it('do not change from the start on, whatever is corrected later', async () => {
    await server.feed(event(NFL, 'Chiefs', 'Broncos'), ...played(1, ['Chiefs', 'Broncos'], ['20', '10']));
    const before = await read();
    expect(before.rationale[0]).toBe('Chiefs: 1-0 in the last 1');
    server.clock.time = Date.parse('2026-03-01T21:00:00Z');
    await server.feed(score('past-1', 'final', ['20', '27'], at('20:00')));
    expect(await read()).toEqual(before);
    expect(await read('?as_of=2026-03-01T21:00:00Z')).toEqual(before);
    server.clock.time = Date.parse('2026-03-01T23:00:00Z');
    await server.feed(score('past-1', 'final', ['21', '27'], at('22:00')));
    for (const query of ['', '?as_of=2026-03-01T21:00:00Z', '?as_of=2026-03-01T22:00:00Z&as_of_basis=observed']) {
      expect([query, await read(query)]).toEqual([query, before]);
    }
    const then = new Date(server.clock.time).toISOString();
    server.clock.time += 60_000;
    // What was observed before the start counts, however late it comes.
    await server.feed(...played(8, ['Chiefs', 'Raiders'], ['3', '6']));
    expect((await read()).rationale[0]).toBe('Chiefs: 1-1 in the last 2');
    expect(await read(`?as_of=${then}`)).toEqual(before);
  });

  it('are corrected before the start', async () => {
    await server.feed(event(NFL, 'Chiefs', 'Broncos'), ...played(1, ['Chiefs', 'Broncos'], ['20', '10']));
    await server.feed(score('past-1', 'final', ['20', '27'], at('11:00')));
    expect((await read()).rationale[0]).toBe('Chiefs: 0-1 in the last 1');
    expect((await read('?as_of=2026-03-01T10:00:00Z&as_of_basis=observed')).rationale[0]).toBe(
      'Chiefs: 1-0 in the last 1',
    );
  });
});
