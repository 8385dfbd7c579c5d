import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlimitedAdmissionControl } from '../../../src/api/calls/pipeline/admission.ts';
import { type Composed, composed } from '../../support/composed.ts';
import { feedLongEvent, feedManyEvents, momentOf } from '../../support/long-event.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';

const CHANGES = 30_000;
const NOW = '2026-02-20T00:00:00Z';
const folder = mkdtempSync(join(tmpdir(), 'ledgerline-long-event-'));
let server: Composed;
let id: number;
let key: string;

beforeAll(async () => {
  server = await composed({
    folder,
    time: Date.parse(NOW),
    settings: { livePage: true },
    replacements: { stages: () => unlimitedAdmissionControl },
  });
  await server.core.runner.start();
  id = await feedLongEvent(server, { changes: CHANGES, scores: 200 });
  key = (await server.newKey({ scopes: ['all'] })).key;
}, 300_000);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A batch of this size once held up others for 112 ms, on a machine that did nothing else. */
const MAX_BATCH_MS = 100;
/** Events beside the long one, each with a history of some length. */
const OTHERS = 25;

const headers = () => ({ authorization: `Bearer ${key}` });

async function get(path: string) {
  const response = await fetch(server.url + path, { headers: headers() });
  return { status: response.status, text: await response.text() };
}

describe('an event of 30,000 price changes of 20 books holds up nobody who does not ask for it:', () => {
  const observed = `as_of=${momentOf(CHANGES - 500)}&as_of_basis=observed`;
  const recorded = `as_of=${NOW}`;
  const odds = 'odds?bookmaker=all&';
  const history = 'odds/history?bookmaker=all&';
  const summary = 'odds/summary?bookmaker=all&';
  const api = [
    ...[`intelligence`, `intelligence?${observed}`, `intelligence?${recorded}`],
    ...[summary, history, odds].flatMap((path) => [path, path + observed, path + recorded]),
    ...[`splits?${observed}`, `period-odds?${recorded}`, `player-props?${recorded}`, 'stats'],
  ].map((path) => `/v1/events/ID/${path}`);
  const live = ['probabilities', 'intelligence', `intelligence?${observed}`, 'story', `lines?${observed}`, 'stats'];
  const pages = [...live.map((path) => `/live/events/ID/${path}`), `/live/events/ID?${observed}`];
  const changes = ['/v1/changes?after=0&event_id=ID&bookmaker=nobody', '/v1/changes?after=0&limit=500'];
  const compat = `/compat/the-odds-api/v4/historical/sports/basketball_nba/odds?regions=us&date=${momentOf(CHANGES - 500)}`;

  it.each([...pages, ...api, ...changes, compat])('%s', async (path) => {
    const asked = path.replace('ID', String(id));
    const { result, longest } = await longestBlocking(() => Promise.all([get(asked), get(asked)]));
    expect(result.map(({ status }) => status)).toEqual([200, 200]);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });
});

it('a batch of 25 events as of a moment, none of which was asked for before, holds up nobody', async () => {
  const ids = await feedManyEvents(server, OTHERS);
  const body = { event_ids: ids, include_odds: true, include_intelligence: true, as_of: NOW };
  const { result, longest } = await longestBlocking(() =>
    fetch(`${server.url}/v1/events/batch`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  expect(await result.json()).toMatchObject({ total: OTHERS, not_found: [] });
  expect(longest).toBeLessThan(MAX_BATCH_MS);
});
