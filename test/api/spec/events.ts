import { type Message, schedule, score } from './messages.ts';
import type { SpecServer } from './server.ts';

type Facts = Record<string, unknown>;
interface League {
  readonly sport: string;
  readonly league: string;
}

/** A sports event of its own, for one test. */
export interface Game {
  readonly id: number;
  readonly ref: string;
  readonly league: League;
  /** Names of home and away, or of player_1 and player_2. */
  readonly sides: readonly [string, string];
  /** The path of the event. */
  readonly path: string;
  /** A minute after the last message of the game that was made here. */
  nextAt(): string;
  /** The schedule once more, with other facts. */
  schedule(more?: Facts): Message;
  score(status: string, scores?: Parameters<typeof score>[2], more?: Facts): Message;
}

let games = 0;
export const START = '2026-03-01T18:00:00Z';
const FIRST_AT = Date.parse('2026-03-01T08:00:00Z');

/** Schedules a game of two sides that no other test knows. Its messages come a minute after each other from 08:00. */
export async function game(
  server: SpecServer,
  league: League,
  more: Facts & { readonly starts_at?: string; readonly sides?: readonly [string | Facts, string | Facts] } = {},
): Promise<Game> {
  const [made] = await gamesOf(server, league, 1, more);
  return made!;
}

export async function gamesOf(
  server: SpecServer,
  league: League,
  count: number,
  {
    starts_at = START,
    sides: given,
    ...facts
  }: Facts & { readonly starts_at?: string; readonly sides?: readonly [string | Facts, string | Facts] } = {},
): Promise<readonly Game[]> {
  const plans = Array.from({ length: count }, () => {
    const number = ++games;
    const ref = `${league.league}-${number}`;
    const sides = given ?? [`Home ${league.league} ${number}`, `Away ${league.league} ${number}`];
    let minutes = 0;
    const nextAt = () => new Date(FIRST_AT + 60_000 * minutes++).toISOString();
    const again = (more: Facts = {}) => schedule(league, ref, sides, starts_at, { at: nextAt(), ...facts, ...more });
    const scoreOf = (status: string, scores: Parameters<typeof score>[2] = null, more: Facts = {}) =>
      score(ref, status, scores, { at: nextAt(), ...more, sport: league.sport });
    return { ref, sides, nextAt, schedule: again, score: scoreOf, first: again() };
  });
  await server.feed(...plans.map(({ first }) => first));
  const names = (side: string | Facts) => (typeof side === 'string' ? side : String(side['name']));
  return Promise.all(
    plans.map(async ({ first: _, ...plan }) => {
      const id = await server.eventId('feed', plan.ref);
      return { ...plan, id, league, path: `/v1/events/${id}`, sides: [names(plan.sides[0]), names(plan.sides[1])] };
    }),
  );
}

/** The items of all pages of a list. */
export async function allPages(server: SpecServer, path: string, key?: string): Promise<any[]> {
  const items: any[] = [];
  let after: number | null = null;
  do {
    const page: any = await server.get(after === null ? path : `${path}&after_id=${after}`, key);
    items.push(...(page.events ?? page.data));
    after = page.next_after_id;
  } while (after !== null);
  return items;
}

/** Home or player_1, and the other. */
export const sidesOf = (detail: any): readonly [any, any] => detail.participants ?? detail.scores;
