import { expect } from 'vitest';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { market, NFL, type Outcome, odds, schedule } from '../spec/messages.ts';

/** A Sunday at noon, shortly before the game. */
export const NOON = Date.parse('2026-03-01T12:00:00Z');
export const START = '2026-03-01T12:45:00Z';
export const AFTER = Date.parse('2026-03-01T22:00:00Z');
const SIDES = ['Kansas City Chiefs', 'Denver Broncos'] as const;

export const at = (time: string) => ({ at: `2026-03-01T${time}:00Z` });
export const game = (ref: string, starts = START, time = '05:00') => schedule(NFL, ref, [...SIDES], starts, at(time));

const two = (a: Outcome, b: Outcome): Outcome[] => [a, b];
/** Pinnacle’s markets of a game: an even moneyline, a spread of -3 and a total of 47. */
export const evenPrices = (ref: string, time = '11:40', home = -110, away = -110) =>
  odds(
    ref,
    'pinnacle',
    [
      market('h2h', two(['home', home], ['away', away])),
      market('spreads', two(['home', -110, -3], ['away', -110, 3])),
      market('totals', two(['over', -110, 47], ['under', -110, 47])),
    ],
    at(time),
  );

export interface BetServer extends AgentServer {
  /** The id of the game. */
  readonly event: number;
  /** A moneyline of home at +120 an hour ago, with other members. */
  bet(more?: object): object;
  /** Adds bets. @returns their ids */
  add(...bets: readonly object[]): Promise<readonly number[]>;
}

/** A game with prices before its start. */
export async function serveBets(): Promise<BetServer> {
  const server = await serveAgent({ time: NOON });
  await server.feed(game('g1'), evenPrices('g1'));
  const event = await server.eventId('feed', 'g1');
  const bet = (more: object = {}) => ({
    event_id: event,
    market_key: 'h2h',
    side: 'home',
    price: 120,
    stake: 10,
    book: 'draftkings',
    placed_at: '2026-03-01T11:00:00Z',
    ...more,
  });
  return {
    ...server,
    event,
    bet,
    async add(...bets) {
      const { status, body } = await server.post('/v1/bets', { bets });
      expect([status, body.error]).toEqual([201, undefined]);
      return body.bets.map(({ id }: { readonly id: number }) => id);
    },
  };
}
