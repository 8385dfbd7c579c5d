import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { messagesOf } from '../../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';

const GAMES = gamesOf('soccer', 'epl', 130, numbersOf(1));
const DAY = new Date(GAMES.at(-1)!.startsAt).toISOString().slice(0, 10);
const QUIET_DAY = '2031-05-05';

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent();
  await server.feed(...messagesOf('soccer', GAMES));
});
afterAll(() => server?.close());

const page = async (query: string) => {
  const answer = await fetch(`${server.url}/forecasts?${query}`);
  return { status: answer.status, text: await answer.text() };
};
/** The texts of the cells of each row in the tables of the day. */
const rowsOf = (text: string): string[][] =>
  text
    .split('id="record"')[0]!
    .split('<tr><td>')
    .slice(1)
    .map((row) =>
      row
        .split('</tr>')[0]!
        .split(/<\/t[dh]>/)
        .slice(0, -1)
        .map((cell) =>
          cell
            .replace(/<[^>]*>/g, ' ')
            .replace(/\s+/g, ' ')
            .trim(),
        ),
    );
const percent = (probability: number | undefined | null) =>
  probability === undefined || probability === null ? '–' : `${Math.round(100 * probability)}%`;

describe('the forecasts of a day', () => {
  it('are those of the API beside its fair prices, by league', async () => {
    const { events } = await server.get(`/v1/events?sport=soccer&date=${DAY}`);
    const { status, text } = await page(`sport=soccer&date=${DAY}`);
    expect([status, events.length > 0]).toEqual([200, true]);
    expect(text).toContain('<h3>Premier League</h3>');
    const rows = rowsOf(text);
    expect(rows.length).toBe(events.length);
    for (const { id, name, starts_at } of events) {
      const { bets } = await server.get(`/v1/events/${id}/intelligence`);
      const bet = (type: string) => bets.find(({ bet_type }: any) => bet_type === type);
      const [start, game, ...cells] = rows.find((row) => row[1] === name)!;
      expect([start!.slice(0, 5), game]).toEqual([starts_at.slice(11, 16), name]);
      const [home, draw, spread, over] = ['ML_HOME', 'ML_DRAW', 'SPREAD_HOME', 'OVER'].map(bet);
      const shown = cells.map((cell) => cell.replace(/^.*: /, ''));
      const both = (one: any) => [percent(one?.probability), percent(one?.fair?.probability)];
      expect(shown.filter((_, index) => index !== 4 && index !== 7)).toEqual([home, draw, spread, over].flatMap(both));
      expect(Number(shown[7])).toBe(over.market.line);
      expect(home.probability).not.toBeNull();
    }
  });

  it('are marked where they are 5 points or more from the market', async () => {
    const { text } = await page(`sport=soccer&date=${DAY}`);
    const marked = [...text.matchAll(/5 points or more (above|below) the market/g)].length;
    const far = rowsOf(text).flatMap((cells) => cells.filter((cell) => /[▲▼]/.test(cell)));
    expect([marked, marked > 0]).toEqual([far.length, true]);
  });

  it('say so where no game is known, and lead to the days beside, for the league too', async () => {
    const { status, text } = await page(`sport=soccer&league=epl&date=${QUIET_DAY}`);
    expect(status).toBe(200);
    expect(text).toContain('No game of Premier League is known on this day.');
    expect(text).toContain('/forecasts?sport=soccer&amp;league=epl&amp;date=2031-05-04');
    expect(text).toContain('/forecasts?sport=soccer&amp;league=epl&amp;date=2031-05-06');
  });

  it('lead from a day without games to the nearest days with some', async () => {
    const to = (date: string) => `<a href="/forecasts?sport=soccer&amp;date=${date}">`;
    const after = (await page(`sport=soccer&date=${QUIET_DAY}`)).text;
    expect(after).toContain(to(DAY));
    const [first] = GAMES;
    const firstDay = new Date(first!.startsAt).toISOString().slice(0, 10);
    const before = (await page('sport=soccer&date=1990-05-05')).text;
    expect(before).toContain(to(firstDay));
    expect(before.match(/The nearest days with games:.*?\./)![0]).not.toContain(' and ');
    expect((await page(`sport=mlb&date=${QUIET_DAY}`)).text).toContain('Try another sport.');
  });

  it.each(['sport=cricket', 'sport=soccer&date=2031-02-30'])('%s is refused', async (query) => {
    expect((await page(query)).status).toBe(400);
  });

  it('are today’s without a date', async () => {
    expect((await page('sport=soccer')).text).toContain('>Today</a>');
    expect((await page('sport=soccer')).text).toMatch(/aria-current="page">Today</);
  });
});
