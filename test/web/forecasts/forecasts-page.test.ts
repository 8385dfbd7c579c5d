import { afterEach, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import type { TrackRecord } from '../../../src/forecasting/track-record/track-record.ts';
import type { SeasonRow } from '../../../src/intelligence/evaluation/market-record.ts';
import { NEVER_PUBLISHED } from '../../../src/intelligence/evaluation/publication-rule.ts';
import { type Composed, composed } from '../../support/composed.ts';

let server: Composed | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const row = (league: string, season: number, n: number, loss: number | null, close: number | null): SeasonRow => ({
  league,
  season,
  model_version: 'soccer-1.0',
  n,
  log_loss: loss,
  brier: 0.2,
  slope: 0.98,
  intercept: -0.01,
  close: close === null ? null : { n, log_loss: close, brier: 0.19, slope: 1, intercept: 0 },
  calibration: [
    { from: 0.3, to: 0.4, n, predicted: 0.35, observed: n === 100 ? 0.3 : 0.42 },
    { from: 0.6, to: 0.7, n: 10, predicted: 0.65, observed: 0.7 },
  ],
  blend: null,
});
const ROWS = [row('epl', 2025, 100, 0.96, 0.95), row('laliga', 2025, 300, 1, null), row('epl', 2024, 20, null, null)];

const NOTHING = { n: 0, profit: null, profit_se: null, drawdown: 0 };
const UNPRICED = { hit_rate: null, hit_rate_se: null, best: NOTHING, follower: NOTHING };
const MONTHS = [
  { month: '2026-01', n: 40, clv: 0.0123, clv_se: 0.004, ...UNPRICED },
  { month: '2026-02', n: 12, clv: null, clv_se: null, ...UNPRICED },
];

async function open(rows: TrackRecord['rows'], settings: Parameters<typeof composed>[0] = {}) {
  const record = {
    rows,
    months: async (sport: string, market: string) => (sport === 'soccer' && market === 'h2h' ? MONTHS : []),
    publicationsOf: () => NEVER_PUBLISHED,
    blendTurnsOf: () => null,
    countedBlendTurnsOf: async () => null,
    onPublications: () => () => {},
    reliabilityOf: () => 'emerging' as const,
  };
  server = await composed({ ...settings, replacements: { context: { record } } });
  await server.core.runner.start();
  const { url } = server;
  return async (path = '/forecasts', init: RequestInit = {}) => {
    const answer = await fetch(url + path, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
}
const ofSoccer: TrackRecord['rows'] = async (sport, market) => (sport === 'soccer' && market === 'h2h' ? ROWS : []);

/** The texts of all cells, row by row. */
const cellsOf = (text: string, name: string): string[][] => {
  const table = text.split(`aria-label="${name}"`)[1]!.split('</table>')[0]!;
  return table
    .split('<tr>')
    .slice(2)
    .map((line) => [...line.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, cell]) => cell!));
};

describe('the page of the forecasts', () => {
  it('shows without a key the first sport that has one, or the one asked for', async () => {
    const ask = await open(ofSoccer);
    const { status, headers, text } = await ask();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('<a href="/forecasts?sport=soccer" aria-current="page">Soccer</a>');
    expect(text).not.toContain('<script>');
    expect((await ask('/forecasts?sport=soccer')).text).toBe(text);
    const nba = (await ask('/forecasts?sport=nba')).text;
    expect(nba).toContain('No settled game of NBA has a forecast here yet.');
    expect(nba).not.toContain('<svg class="plot"');
  });

  it('has a line for each league and season, with the close beside', async () => {
    const { text } = await (await open(ofSoccer))();
    expect(cellsOf(text, 'Soccer, moneyline, by season')).toEqual([
      ['2025 EPL', '100', '0.9600', '0.9500', '0.2000', '0.1900', '0.98', '−0.01'],
      [expect.stringMatching(/^2025 /), '300', '1.0000', '–', '0.2000', '–', '0.98', '−0.01'],
      ['2024 EPL', '20', '–', '–', '0.2000', '–', '0.98', '−0.01'],
    ]);
    expect(text).not.toContain('id="spreads"');
  });

  it('has the calibration of all leagues together, and log losses by season', async () => {
    const { text } = await (await open(ofSoccer))();
    expect(cellsOf(text, 'Soccer, moneyline, calibration')).toEqual([
      ['30% to 40%', '35%', `${Math.round((100 * 0.3 + 320 * 0.42) / 4.2)}%`, '420'],
      ['60% to 70%', '65%', '70%', '30'],
    ]);
    expect(text).toContain('<title>Forecast 65%, came 70%, 30 times</title>');
    expect(text).toContain('<title>2025: forecast 0.9900</title>');
    expect(text).toContain('<title>2025: close 0.9500</title>');
    expect(text).not.toContain('<title>2024:');
  });

  it('has the closing line value by month, and a plot of the months that have enough', async () => {
    const { text } = await (await open(ofSoccer))();
    expect(cellsOf(text, 'Soccer, moneyline, closing line value')).toEqual([
      ['2026-02', '12', '–', '–'],
      ['2026-01', '40', '+1.2%', '0.4%'],
    ]);
    expect(text).toContain('<title>2026-01: +1.2%</title>');
    expect(text).not.toContain('<title>2026-02:');
  });

  it('stands where the record stood, with the same query', async () => {
    const ask = await open(ofSoccer);
    const { status, headers } = await ask('/record?sport=soccer', { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([308, '/forecasts?sport=soccer#record']);
    expect((await ask('/record', { redirect: 'manual' })).headers.get('location')).toBe('/forecasts#record');
  });

  it('says so while nothing was counted yet', async () => {
    const ask = await open(async () => {
      throw new UnavailableError('The record is being counted for the first time.', 30);
    });
    const { status, text } = await ask();
    expect(status).toBe(200);
    expect(text).toContain('is being counted for the first time');
  });

  it('refuses other sports and other methods, and keeps nothing that has not changed', async () => {
    const ask = await open(ofSoccer);
    expect((await ask('/forecasts?sport=<b>')).status).toBe(400);
    expect((await ask('/forecasts', { method: 'POST' })).status).toBe(405);
    const tag = (await ask()).headers.get('etag')!;
    expect((await ask('/forecasts', { headers: { 'if-none-match': tag } })).status).toBe(304);
    const style = /href="(\/record\/assets\/[^"]+)"/.exec((await ask()).text)![1]!;
    expect((await ask(style)).headers.get('cache-control')).toContain('immutable');
  });

  it('says that the games are invented where they are, and links to the grading page where there is one', async () => {
    const ask = await open(ofSoccer, { simulated: () => true, settings: { gradeSheet: false } });
    const { text } = await ask();
    expect(text).toContain('Simulated');
    expect(text).not.toContain('/grade');
    expect((await ask('/')).text).toContain('<a href="/forecasts">');
  });
});
