import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AlertFilter, SCORE_MOMENTS, SEVERITIES } from '../../../src/domain/alerts/alert-filter.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../src/domain/webhook-types.ts';
import type { ClientChange } from '../../../src/read-models/change-feed/change-mapper.ts';
import type { ChangeSubject } from '../../../src/read-models/change-feed/change-subject.ts';
import { passesFilter } from '../../../src/webhooks/filters/passes-filter.ts';

const START = Date.parse('2026-03-01T18:00:00Z');
const BOOKS = ['pinnacle', 'fanduel', 'draftkings'] as const;
const MARKETS = ['h2h', 'spreads', 'totals'] as const;
const few = fc.integer({ min: 1, max: 3 });
const point = fc.integer({ min: -4, max: 4 }).map((half) => half / 2);
const price = fc.constantFrom(-120, -110, 100, 110, 250);
const percent = fc.option(fc.constantFrom(0.5, 2, 3, 4.5));

/** Facts of changes, flat: what the oracle goes by. */
const facts = fc.record({
  type: fc.constantFrom(...WEBHOOK_EVENT_TYPES),
  sport: fc.constantFrom('nfl', 'nba'),
  league: fc.option(fc.constantFrom('nfl', 'nba')),
  event: fc.option(few),
  teams: fc.uniqueArray(few, { maxLength: 2 }),
  players: fc.uniqueArray(few, { maxLength: 2 }),
  injured: fc.option(few),
  book: fc.constantFrom(...BOOKS),
  market: fc.constantFrom(...MARKETS),
  points: fc.option(fc.tuple(point, point)),
  prices: fc.tuple(price, price),
  ev: fc.tuple(percent, percent),
  severity: fc.constantFrom(...SEVERITIES),
  /** Minutes before the start; null: no start is known. */
  early: fc.option(fc.integer({ min: -30, max: 90 })),
  moments: fc.subarray(['lead_change', 'period_end', 'final', 'close_late'] as const),
});
type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;

const HAS_SCORE = ['score', 'status', 'event_start', 'event_final'];
const HAS_MARKET = ['line_move', 'steam', 'new_price', 'ev', 'arbitrage'];

function changeOf(given: Facts): { change: ClientChange; subject: ChangeSubject | null } {
  const { type, points, prices, ev } = given;
  const moved = {
    price_from: prices[0],
    price_to: prices[1],
    point_from: points?.[0] ?? null,
    point_to: points?.[1] ?? null,
  };
  const data: Record<string, unknown> = {
    ...(HAS_MARKET.includes(type) ? { market_key: given.market } : {}),
    ...(['line_move', 'new_price', 'ev'].includes(type) ? { bookmaker: given.book } : {}),
    ...(type === 'steam' ? { bookmakers: [given.book, 'pinnacle', 'other'] } : {}),
    ...(type === 'arbitrage' ? { legs: [{ bookmaker: given.book }, { bookmaker: 'pinnacle' }] } : {}),
    ...(['line_move', 'steam'].includes(type) ? moved : {}),
    ...(type === 'ev' ? { ev_percent: ev[0], ev_percent_before: ev[1] } : {}),
    ...(type === 'intelligence' ? { bets: [{ ev: null }, { ev: ev[0] === null ? null : { ev_pct: ev[0] } }] } : {}),
    ...(type === 'injury' ? { severity: given.severity, player_id: given.injured } : {}),
    ...(type === 'identity' ? { what: 'event', into: given.event } : {}),
  };
  const hasSubject = given.event !== null;
  return {
    change: {
      eventType: type,
      eventId: given.event,
      sport: given.sport,
      league: given.league,
      data,
      observedAt: new Date(START - (given.early ?? 0) * 60_000).toISOString(),
      at: new Date(START).toISOString(),
      position: 1n,
      index: 0,
      ...(HAS_SCORE.includes(type)
        ? { score: { before: {} as never, moments: ['any', ...given.moments] as const } }
        : {}),
    },
    subject: hasSubject
      ? {
          name: 'A at B',
          startsAt: given.early === null ? null : START,
          teamIds: given.teams,
          playerIds: given.players,
        }
      : null,
  };
}

const list = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 2 });
const members = fc.record({
  types: fc.subarray([...WEBHOOK_EVENT_TYPES], { minLength: 5 }),
  sports: list(fc.constantFrom('nfl', 'nba')),
  leagues: list(fc.constantFrom('nfl', 'nba')),
  event_ids: list(few),
  team_ids: list(few),
  player_ids: list(few),
  bookmakers: list(fc.constantFrom(...BOOKS)),
  markets: list(fc.constantFrom(...MARKETS)),
  min_line_move: fc.constantFrom(0, 0.5, 1, 2),
  min_price_move: fc.constantFrom(0, 1, 2.5, 10),
  min_ev_percent: fc.constantFrom(0, 2, 3),
  min_severity: fc.constantFrom(...SEVERITIES),
  before_start_minutes: fc.constantFrom(1, 30, 60),
  score: fc.constantFrom(...SCORE_MOMENTS),
});
type Members = typeof members extends fc.Arbitrary<infer M> ? M : never;

/** Few members: with all of them nothing would pass, and no member would ever decide. */
const filter: fc.Arbitrary<AlertFilter> = members.chain((all) =>
  fc
    .subarray(Object.keys(all) as (keyof Members)[], { maxLength: 3 })
    .map((names) => Object.fromEntries(names.map((name) => [name, all[name]])) as AlertFilter),
);

const chance = (american: number) => (american > 0 ? 10_000 / (american + 100) : (100 * american) / (american - 100));
const share = (wanted: readonly unknown[], given: readonly unknown[]) => wanted.some((one) => given.includes(one));

/** The filter in plain words: each member by itself. */
function oracle(f: AlertFilter, given: Facts): boolean {
  const { type } = given;
  const isOfEvent = given.event !== null;
  if (f.types && !f.types.includes(type)) return false;
  if (f.sports && !f.sports.includes(given.sport)) return false;
  if (f.leagues && (given.league === null || !f.leagues.includes(given.league))) return false;
  if (f.event_ids && (!isOfEvent || !f.event_ids.includes(given.event!))) return false;
  if (
    f.team_ids &&
    !(isOfEvent && type !== 'identity' ? share(f.team_ids, given.teams) : isOfEvent && share(f.team_ids, given.teams))
  )
    return false;
  if (f.player_ids) {
    const concerned =
      type === 'injury' ? (given.injured === null ? [] : [given.injured]) : isOfEvent ? given.players : [];
    if (!share(f.player_ids, concerned)) return false;
  }
  if (f.bookmakers) {
    if (['line_move', 'new_price', 'ev'].includes(type) && !f.bookmakers.includes(given.book)) return false;
    if (type === 'steam' && !f.bookmakers.includes(given.book) && !f.bookmakers.includes('pinnacle')) return false;
    if (type === 'arbitrage' && !(f.bookmakers.includes(given.book) && f.bookmakers.includes('pinnacle'))) return false;
  }
  if (f.markets && !(HAS_MARKET.includes(type) && f.markets.includes(given.market))) return false;
  const isMove = type === 'line_move' || type === 'steam';
  if (f.min_line_move !== undefined) {
    if (!isMove || given.points === null) return false;
    if (Math.abs(given.points[0] - given.points[1]) < f.min_line_move) return false;
  }
  if (f.min_price_move !== undefined) {
    if (!isMove || Math.abs(chance(given.prices[0]) - chance(given.prices[1])) + 1e-9 < f.min_price_move) return false;
  }
  if (type === 'ev') {
    const least = f.min_ev_percent ?? 0;
    const [is, was] = given.ev.map((value) => value !== null && value >= least);
    if (is === was) return false;
  } else if (f.min_ev_percent !== undefined) {
    if (type !== 'intelligence' || given.ev[0] === null || given.ev[0] < f.min_ev_percent) return false;
  }
  if (f.min_severity) {
    if (type !== 'injury') return false;
    if (SEVERITIES.indexOf(given.severity) < SEVERITIES.indexOf(f.min_severity)) return false;
  }
  if (f.before_start_minutes !== undefined) {
    if (!isOfEvent || given.early === null) return false;
    if (given.early <= 0 || given.early > f.before_start_minutes) return false;
  }
  if (f.score) {
    if (!HAS_SCORE.includes(type)) return false;
    if (f.score !== 'any' && !given.moments.includes(f.score)) return false;
  }
  return true;
}

describe('a filter', () => {
  it('lets pass what each of its members lets pass by itself', () => {
    fc.assert(
      fc.property(filter, facts, (given, told) => {
        const { change, subject } = changeOf(told);
        expect(passesFilter(given, change, subject)).toBe(oracle(given, told));
      }),
      { numRuns: 5000 },
    );
  });

  it('without members lets everything pass but edges that stay, and moments without a score', () => {
    fc.assert(
      fc.property(facts, (told) => {
        const { change, subject } = changeOf(told);
        expect(passesFilter(null, change, subject)).toBe(oracle({}, told));
        const silent = {
          ...change,
          eventType: 'score',
          score: { before: {} as never, moments: ['period_end'] },
        } as const;
        expect(passesFilter(null, silent, subject)).toBe(false);
        expect(passesFilter({ score: 'any' }, silent, subject)).toBe(false);
        expect(passesFilter({ score: 'period_end' }, silent, subject)).toBe(true);
      }),
    );
  });
});
