import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { data, describeWithData } from '../../system/real-data/real-data-files.ts';
import { expectSame, importedServer } from './imported-answers.ts';

const textOf = (path: string): string => {
  const bytes = readFileSync(path);
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
};
const REGIONS = 'us,us2,us_dfs,us_ex,uk,eu,fr,se,au';

describeWithData('every recorded answer of The Odds API, imported, comes out again', () => {
  const files = process.env['LEDGERLINE_DATA'] ? readdirSync(data('odds_api')) : [];

  it.each(files)('%s', async (file) => {
    const answer = JSON.parse(textOf(data('odds_api', file)));
    const events = (answer.response ?? answer.data).map((event: any) => ('sites' in event ? fourth(event) : event));
    const newest = Math.max(...events.flatMap(({ bookmakers }: any) => bookmakers.map(timeOf)));
    const server = await importedServer(answer, newest + 1000);
    const oddsFormat = isAmerican(events) ? 'american' : 'decimal';
    const sports = [...new Set(events.map(({ sport_key }: any) => String(sport_key)))] as string[];
    let compared = 0;
    for (const sport of sports) {
      const { status, body, text } = await server.compat(`/sports/${sport}/odds`, {
        regions: REGIONS,
        markets: 'h2h,spreads,totals',
        oddsFormat,
      });
      expect(status, text).toBe(200);
      const given = events.filter(({ sport_key }: any) => sport_key === sport).map(known);
      expectSame(given, body);
      compared += body.flatMap(({ bookmakers }: any) => bookmakers).length;
    }
    expect(compared).toBeGreaterThan(1);
    await server.close();
  });
});

const timeOf = ({ last_update }: any): number => Date.parse(last_update);
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** An event of the third version in the words of the fourth, by the provider's account of what has changed. */
function fourth({ teams, home_team, sport_nice, sites, sites_count: _, commence_time, ...event }: any): any {
  return {
    ...event,
    sport_title: sport_nice,
    commence_time: iso(commence_time),
    home_team,
    away_team: teams.find((team: string) => team !== home_team),
    bookmakers: sites.map(({ site_key, site_nice, last_update, odds }: any) => ({
      key: site_key,
      title: site_nice,
      last_update: iso(last_update),
      markets: Object.entries(odds).map(([key, prices]: any) => ({
        key,
        last_update: iso(last_update),
        outcomes: prices.map((price: number, index: number) => ({ name: [...teams, 'Draw'][index], price })),
      })),
    })),
  };
}

const pricesOf = (market: any): number[] => market.outcomes.map(({ price }: any) => price);
const isAmerican = (events: readonly any[]): boolean =>
  events.every(({ bookmakers }: any) =>
    bookmakers.every(({ markets }: any) => markets.every((one: any) => pricesOf(one).every((p) => Math.abs(p) >= 100))),
  );

/** Without markets that hold what is no price. */
const known = ({ bookmakers, ...event }: any): any => ({
  ...event,
  bookmakers: bookmakers
    .map(({ markets, ...book }: any) => ({
      ...book,
      markets: markets.filter((one: any) => pricesOf(one).every((price) => Math.abs(price) > 1)),
    }))
    .filter(({ markets }: any) => markets.length > 0),
});
