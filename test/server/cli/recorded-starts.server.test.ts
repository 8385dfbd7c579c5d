import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/api/client/index.ts';
import { reportOf, run, startServer, temporaryFolder } from './launching.ts';

const schedule = {
  kind: 'schedule',
  source: 'test',
  at: '2021-09-19T17:00:00Z',
  sport: 'nfl',
  league: 'nfl',
  ref: 'g1',
  season: { year: 2021, phase: 'regular_season' },
  starts_at: '2021-09-26T17:00:00Z',
  participants: [
    { role: 'home', name: 'Los Angeles Rams', abbreviation: 'LA' },
    { role: 'away', name: 'Jacksonville Jaguars', abbreviation: 'JAX' },
  ],
};
const LINES = [
  'line_type,event_id,book_id,period,side,value,odds,team_id,team,season,week,tickets_percent,money_percent,last_updated',
  'moneyline,900,15,event,home,0,-180,1,LA,2021,3,60,70,2025-08-29T15:00:00Z',
  'moneyline,900,15,event,away,0,155,2,JAX,2021,3,40,30,2025-08-29T15:00:00Z',
].join('\n');

it('game lines without a start find the event that the data folder knows, projected or not', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'lines.csv');
  writeFileSync(file, LINES);
  const lines = () => run(['import', 'action-network', '--data-dir', folder, file]);
  await run(['ingest', '--data-dir', folder, '-'], { input: JSON.stringify(schedule) });

  const first = reportOf(await lines());
  const server = await startServer(folder);
  const second = reportOf(await lines());

  expect(first).toMatchObject({ received: 2, accepted: 2, quarantined: 0, notes: [] });
  expect(second).toMatchObject({ received: 2, unchanged: 2, quarantined: 0, notes: [] });
  const client = createClient({ baseUrl: server.url, apiKey: server.key });
  expect(await client.getOdds({ id: 1, bookmaker: 'all' })).toMatchObject({
    bookmakers: [{ captured_at: '2021-09-26T16:59:59Z' }],
  });
});

it('game lines of a folder that knows nothing wait for their schedule', async () => {
  const folder = join(temporaryFolder(), 'new');
  const input = LINES;

  const ended = await run(['import', 'action-network', '--data-dir', folder, '-'], { input });

  expect(ended.code).toBe(0);
  expect(reportOf(ended)).toMatchObject({ received: 2, quarantined: 2, notes: [{ code: 'start_unknown' }] });
});

it('odds of an event that the data folder knows by the same id are placed by its start', async () => {
  const folder = temporaryFolder();
  const known = { ...schedule, source: 'other', refs: { espn: '401' } };
  await run(['ingest', '--data-dir', folder, '-'], { input: JSON.stringify(known) });
  const odds = {
    $ref: 'http://example.com/events/401/competitions/401/odds',
    provider: { id: '58', name: 'ESPN BET' },
    homeTeamOdds: { moneyLine: -155, open: { moneyLine: { american: '-150' } } },
    awayTeamOdds: { moneyLine: 135, open: { moneyLine: { american: '+130' } } },
  };
  const input = JSON.stringify({ items: [odds] });

  const ended = await run(['import', 'espn', '--data-dir', folder, '-'], { input });
  const dry = await run(['import', 'espn', '--dry-run', '--data-dir', folder, '-'], { input });

  expect(ended.code).toBe(0);
  expect(reportOf(ended)).toMatchObject({ received: 2, accepted: 2, notes: [] });
  const times = dry.stdout.match(/"at":"[^"]+"/g);
  expect(times).toEqual(['"at":"2021-09-25T17:00:00Z"', '"at":"2021-09-26T16:59:59Z"']);
});
