import { beforeAll, describe, expect, it } from 'vitest';
import { startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { hasPython } from '../../support/python-venv.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { BASE } from './odds-api-client.ts';
import { installPythonClients, runPythonClient } from './python-clients.ts';

// Clients of The Odds API that others have written, as they are: all that they are told is where to ask.

const BOOTSTRAP_KEY = `llk_clientsofodd.${'A'.repeat(43)}`;
const INGEST_KEY = 'ingest';
const MINUTES = 60_000;
const SPORT = 'soccer_epl';

describe.skipIf(!hasPython('the clients of The Odds API'))('clients of The Odds API', () => {
  beforeAll(installPythonClients, 10 * MINUTES);

  /** A server with a day of sport, and what it answers itself. */
  async function started() {
    const { url } = await startServer(temporaryFolder(), { BOOTSTRAP_KEY, INGEST_KEY, FEEDS: 'none' });
    const response = await fetch(`${url}/ingest/v1/messages?wait=projected`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(dayOfSport(Date.now())),
    });
    expect(await response.json()).toMatchObject({ errors: [] });
    const date = new Date().toISOString();
    const get = async (path: string): Promise<any> =>
      (await fetch(`${url}${BASE}${path}${path.includes('?') ? '&' : '?'}apiKey=${BOOTSTRAP_KEY}`)).json();
    const ask = (script: string) =>
      runPythonClient(script, url + BASE.replace(/\/v4$/, ''), BOOTSTRAP_KEY, SPORT, date);
    return { get, ask, date };
  }

  it(
    'the typed one from PyPI reads every path that it knows',
    async () => {
      const { get, ask } = await started();
      const told = await ask('typed_client.py');
      expect(told.sports).toEqual(await get('/sports'));
      expect(told.all_sports).toEqual(await get('/sports?all=true'));
      const [event] = await get(`/sports/${SPORT}/events`);
      expect(told.events.map(({ id }: any) => id)).toEqual([event.id]);
      expect(told.events[0]).toMatchObject({ home_team: event.home_team, away_team: event.away_team });
      expect(told.participants).toEqual(
        (await get(`/sports/${SPORT}/participants`)).map(({ id, full_name }: any) => ({ id, full_name })),
      );
      const books = 'regions=us,eu&markets=h2h,spreads';
      const american = await get(`/sports/${SPORT}/odds?${books}&oddsFormat=american`);
      expect(pricesOf(told.odds)).toEqual(pricesOf(american));
      expect(pricesOf(told.odds).length).toBeGreaterThan(3);
      const decimal = pricesOf(await get(`/sports/${SPORT}/odds?${books}`));
      expect(pricesOf(told.odds_unix)).toEqual(decimal);
      expect(pricesOf(told.historical_odds.data)).toEqual(decimal);
      expect(Date.parse(timeOf(told.odds[0].commence_time))).toBe(Date.parse(event.commence_time));
      expect(told.odds[0].bookmakers[0].last_update).toEqual(expect.stringMatching(/^\d{4}-/));
      const [h2h] = american[0].bookmakers[0].markets;
      expect(told.historical_event_odds.data.id).toBe(event.id);
      expect(told.event_odds.id).toBe(event.id);
      expect(h2h.key).toBe('h2h');
      expect(told.historical_events.data).toEqual(told.events);
      expect(told.scores.map(({ id }: any) => id)).toEqual([event.id]);
      expect(told.refusals).toEqual(['OddsAPINotFoundError', 'OddsAPIValidationError', 'OddsAPIAuthError']);
    },
    2 * MINUTES,
  );

  it(
    'the plain one from PyPI reads what it knows of version 4',
    async () => {
      const { get, ask } = await started();
      const told = await ask('plain_client.py');
      expect(told.sports).toEqual(await get('/sports'));
      expect(told.all_sports).toEqual(await get('/sports?all=true'));
      const odds = await get(`/sports/${SPORT}/odds?regions=us,eu&markets=h2h,spreads&oddsFormat=american`);
      expect(told.odds).toEqual(odds);
      expect(told.scores).toEqual(await get(`/sports/${SPORT}/scores?daysFrom=3`));
      expect(told.event_odds).toEqual(await get(`/sports/${SPORT}/events/${odds[0].id}/odds?regions=us&markets=h2h`));
      expect([told.remaining, told.used, told.refusal]).toEqual([1_000_000_000, 0, 422]);
    },
    2 * MINUTES,
  );
});

/** As Python writes one. */
const timeOf = (text: string): string => text.replace(' ', 'T');
const pricesOf = (events: readonly any[]): unknown[] =>
  events.flatMap(({ id, bookmakers }) =>
    bookmakers.flatMap(({ key, markets }: any) =>
      markets.flatMap((market: any) =>
        market.outcomes.map(({ name, price, point }: any) => [id, key, market.key, name, price, point ?? null]),
      ),
    ),
  );
