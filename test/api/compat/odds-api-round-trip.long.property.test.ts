import fc from 'fast-check';
import { expect, it } from 'vitest';
import { theOddsApiImporter } from '../../../src/sources/the-odds-api/importer.ts';
import { importJson } from '../../sources/import-json.ts';
import { runs } from '../../system/properties/runs.ts';
import { serveAgent } from '../agent/serving.ts';
import type { Message } from '../spec/messages.ts';
import { inOrder } from './imported-answers.ts';
import { asking, hexOf } from './odds-api-client.ts';

// Whatever The Odds API could answer of one event comes in by the importer, and comes out again here. A question and a
// line about one statistic (`player_anytime_td`, `player_tds_over`) are one market here, which has one time.

const NOW = Date.parse('2026-10-10T12:00:00Z');
const DAY = 86_400;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

const BOOKS = {
  betmgm: 'BetMGM',
  betonlineag: 'BetOnline.ag',
  fanduel: 'FanDuel',
  williamhill_us: 'Caesars',
  hardrockbet: 'Hard Rock Bet',
  pinnacle: 'Pinnacle',
  williamhill: 'William Hill',
  bet365_au: 'Bet365 AU',
};
const SPORTS = {
  americanfootball_nfl: {
    title: 'NFL',
    props: ['player_pass_yds', 'player_receptions', 'player_pass_yds_alternate'],
    questions: ['player_anytime_td'],
    periods: ['', '_h1'],
  },
  baseball_mlb: {
    title: 'MLB',
    props: ['batter_hits', 'pitcher_strikeouts', 'batter_strikeouts', 'pitcher_outs'],
    questions: ['pitcher_record_a_win'],
    periods: ['', '_1st_5_innings'],
  },
  soccer_epl: {
    title: 'EPL',
    props: ['player_shots', 'player_shots_on_target'],
    questions: ['player_goal_scorer_anytime', 'player_to_receive_card'],
    periods: ['', '_h1'],
  },
  icehockey_nhl: {
    title: 'NHL',
    props: ['player_points', 'player_shots_on_goal', 'player_total_saves_alternate'],
    questions: ['player_goal_scorer_anytime'],
    periods: [''],
  },
} as const;
type SportName = keyof typeof SPORTS;

const price = fc.oneof(
  // Hundredths, and what only a few have.
  fc.integer({ min: 101, max: 60_000 }).map((n) => n / 100),
  fc.integer({ min: 1001, max: 4000 }).map((n) => n / 1000),
);
const point = fc.integer({ min: -60, max: 60 }).map((n) => n / 2);
const line = point.map(Math.abs);
const PLAYERS = ['Ann Able', 'Bo Best', 'Cy Cole'];

/** A market of one key, with the outcomes that it has for these teams. */
function market(name: SportName, home: string, away: string): fc.Arbitrary<any> {
  const { props, questions, periods } = SPORTS[name];
  const sides = fc
    .tuple(price, price, price)
    .map(([one, two, draw]) => [
      { name: home, price: one },
      { name: away, price: two },
      ...(name === 'soccer_epl' ? [{ name: 'Draw', price: draw }] : []),
    ]);
  const spread = fc.tuple(price, price, point).map(([one, two, at]) => [
    { name: home, price: one, point: 0 + at },
    { name: away, price: two, point: 0 - at },
  ]);
  const total = (more: object) =>
    fc.tuple(price, price, line).map(([over, under, at]) => [
      { name: 'Over', ...more, price: over, point: at },
      { name: 'Under', ...more, price: under, point: at },
    ]);
  const flat = (parts: readonly fc.Arbitrary<object[]>[]) => fc.tuple(...parts).map((some) => some.flat());
  const ladder = (one: fc.Arbitrary<any[]>) =>
    fc
      .uniqueArray(one, { minLength: 1, maxLength: 3, selector: (rung) => Math.abs(rung[0].point) })
      .map((some) => some.flat());
  const prop = (key: string) =>
    flat(
      PLAYERS.map((description) => {
        const lines = total({ description });
        return key.endsWith('_alternate') ? ladder(lines) : lines;
      }),
    );
  const question = flat(PLAYERS.map((description) => price.map((yes) => [{ name: 'Yes', description, price: yes }])));
  const period = fc.constantFrom(...periods);
  const of = (key: fc.Arbitrary<string>, outcomes: fc.Arbitrary<object[]>) => fc.record({ key, outcomes });
  return fc.oneof(
    of(
      period.map((suffix) => `h2h${suffix}`),
      sides,
    ),
    of(
      period.map((suffix) => `spreads${suffix}`),
      spread,
    ),
    of(
      period.map((suffix) => `totals${suffix}`),
      total({}),
    ),
    of(
      period.map((suffix) => `alternate_totals${suffix}`),
      ladder(total({})),
    ),
    of(fc.constant('team_totals'), flat([total({ description: home }), total({ description: away })])),
    fc.constantFrom(...props).chain((key) => of(fc.constant(key), prop(key))),
    of(fc.constantFrom(...questions), question),
  );
}

const answer = fc
  .tuple(fc.constantFrom(...(Object.keys(SPORTS) as SportName[])), fc.integer({ min: 0, max: 5 * DAY }))
  .chain(([name, after]) => {
    const [home, away] = ['Home Team', 'Other Team'];
    const times = fc.integer({ min: 1, max: 3 * DAY }).map((before) => iso(NOW / 1000 - before));
    const markets = fc.uniqueArray(fc.tuple(market(name, home, away), times), {
      minLength: 1,
      maxLength: 6,
      selector: ([one]: any) => one.key,
    });
    const books = fc.uniqueArray(fc.tuple(fc.constantFrom(...Object.entries(BOOKS)), markets), {
      minLength: 1,
      maxLength: 4,
      selector: ([[key]]: any) => key,
    });
    return books.map((some) => ({
      id: 'e'.repeat(32),
      sport_key: name,
      sport_title: SPORTS[name].title,
      commence_time: iso(NOW / 1000 + after),
      home_team: home,
      away_team: away,
      bookmakers: some.map(([[key, title], told]) => ({
        key,
        title,
        markets: told.map(([{ outcomes, ...one }, last_update]: any) => ({ ...one, last_update, outcomes })),
      })),
    }));
  });

it('the odds of an event come out as they came in', async () => {
  await fc.assert(
    fc.asyncProperty(answer, async (event) => {
      const server = await serveAgent({ time: NOW });
      const { messages } = await importJson(theOddsApiImporter, event, { oddsFormat: 'decimal' });
      await server.feed(...(messages as Message[]));
      const ask = asking(server);
      const id = hexOf(await server.eventId('the-odds-api', event.id));
      const markets = new Set(event.bookmakers.flatMap((book: any) => book.markets.map(({ key }: any) => key)));
      const path = `/sports/${event.sport_key}/events`;
      const wanted = { bookmakers: Object.keys(BOOKS).join(), markets: [...markets].join() };
      const { status, body, text } = await ask(`${path}/${event.id}/odds`, wanted);
      await server.close();
      expect(status, text).toBe(200);
      expect(body.id).toBe(id);
      expect(inOrder(body)).toEqual(inOrder(event));
    }),
    runs(60),
  );
});
