import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { NFL, schedule, score } from '../../api/spec/messages.ts';
import { moneyline, START } from '../../intelligence/price-messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-03T12:00:00Z') });
});
afterEach(() => server.close());

const open = async (query = '') => {
  const answer = await fetch(`${server.url}/forecasts/markets${query}`);
  return { status: answer.status, text: await answer.text() };
};

describe('the page of the quality of markets', () => {
  it('given no prices, then it says so, without a key', async () => {
    const { status, text } = await open();
    expect(status).toBe(200);
    expect(text).toContain('No prices from before a start are known here.');
    expect(text).not.toContain('<table');
  });

  it('given two books, then it has a row of each, and a dash where too little is known', async () => {
    await server.feed(schedule(NFL, 'g1', ['Home g1', 'Away g1'], START, { at: '2026-03-01T05:00:00Z' }));
    await server.feed(moneyline('fanduel', 110, -130, '17:00'));
    await server.feed(moneyline('betmgm', -110, -110, '17:00'));
    await server.feed(score('g1', 'inprogress', undefined, { at: START }));
    const { text } = await open('?league=nfl&market=h2h&days=7');
    const row = text.split('<th scope="row">FanDuel</th>')[1]!.split('</tr>')[0]!;
    const cells = [...row.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell]) => cell);
    expect(cells).toEqual(['1', '50.0%', '4.0%', '30 min', '0.0%', '–', '–', '–', '–', '–']);
    expect(text).toContain('<option value="nfl" selected>');
  });

  it.each([
    ['?league=x', 400],
    ['?league=nfl&days=0', 422],
  ])('given %s, then it is refused', async (query, status) => {
    expect((await open(query)).status).toBe(status);
  });
});
