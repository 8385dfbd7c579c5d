import { expect } from 'vitest';
import type { Game } from '../spec/events.ts';
import { type Message, odds } from '../spec/messages.ts';
import type { SpecServer } from '../spec/server.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Prices are -110 unless told. */
const at = (outcome: string, point: number | undefined, price = -110, more: Facts = {}) => ({
  outcome,
  price,
  ...(point === undefined ? {} : { point }),
  ...more,
});

/** Spreads by the home side's point. */
export const spreads = (point: number, more: Facts = {}, prices: readonly [number?, number?] = []) => ({
  key: 'spreads',
  outcomes: [at('home', point, prices[0]), at('away', -point, prices[1])],
  ...more,
});
export const totals = (point: number, more: Facts = {}, prices: readonly [number?, number?] = []) => ({
  key: 'totals',
  outcomes: [at('over', point, prices[0]), at('under', point, prices[1])],
  ...more,
});
export const teamTotal = (team: string, point: number, more: Facts = {}, prices: readonly [number?, number?] = []) => ({
  key: 'team_totals',
  outcomes: [at('over', point, prices[0], { team }), at('under', point, prices[1], { team })],
  ...more,
});
/** @param player his name, or all that is said of him */
export const prop = (
  key: string,
  player: string | Facts,
  point: number,
  more: Facts = {},
  prices: readonly [number?, number?] = [],
) => {
  const named = typeof player === 'string' ? { player } : player;
  return { key, outcomes: [at('over', point, prices[0], named), at('under', point, prices[1], named)], ...more };
};

/** Prices of a bookmaker, a minute after the last message of the game. */
export const priced = (game: Game, bookmaker: string, markets: readonly Facts[], more: Facts = {}): Message =>
  odds(game.ref, bookmaker, markets, { at: game.nextAt(), ...more });

/** A side of a score: what it has, and what it made in each period. */
export const made = (score: string, periods: Readonly<Record<string, number>> = {}) => ({
  score,
  period_scores: Object.entries(periods).map(([period, points]) => ({ period, score: points })),
});

/** A side that has scored so much in periods 1, 2, ... */
export const byPeriods = (...points: readonly number[]) =>
  made(
    String(points.reduce((sum, one) => sum + one, 0)),
    Object.fromEntries(points.map((one, index) => [String(index + 1), one])),
  );

export const box = (game: Game, players: readonly Facts[], more: Facts = {}): Message => ({
  kind: 'box',
  source: 'feed',
  at: game.nextAt(),
  ref: game.ref,
  players,
  ...more,
});

/** What all three endpoints share, asked of an event of a sport that they do not support. */
export async function expectRefused(server: SpecServer, game: Game, endpoint: string): Promise<void> {
  const { status, body, credits } = await server.ask(`${game.path}/${endpoint}`);
  expect([status, body.error?.code, credits]).toEqual([400, 'bad_request', 0]);
  const missing = await server.ask(`/v1/events/999999/${endpoint}`);
  expect([missing.status, missing.body.error.code]).toEqual([404, 'not_found']);
  const other = game.league.sport === 'nfl' ? 'nba' : 'nfl';
  const scoped = await server.ask(`${game.path}/${endpoint}`, { key: await server.newKey([other]) });
  expect([scoped.status, scoped.body.error.code]).toEqual([403, 'sport_scope_denied']);
}

/** What is priced costs one credit, and nothing to who has the answer already. */
export async function expectHeld(server: SpecServer, path: string): Promise<void> {
  const first = await server.ask(path);
  expect([first.status, first.credits]).toEqual([200, 1]);
  const again = await server.ask(path, { headers: { 'if-none-match': first.headers.get('etag')! } });
  expect([again.status, again.credits]).toEqual([304, 0]);
}
