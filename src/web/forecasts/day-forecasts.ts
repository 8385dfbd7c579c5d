import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../api/calls/api-errors.ts';
import { listEvents } from '../../api/operations/events/list-events.ts';
import { getIntelligence } from '../../api/operations/intelligence/get-intelligence.ts';
import type { Intelligence } from '../../read-models/rendering/event-schemas.ts';
import type { KeylessCall } from '../browse/keyless-calls.ts';

/** Which games of a day are shown. */
export interface DayQuestion {
  readonly sport: string;
  readonly league: string | undefined;
  /** YYYY-MM-DD, in UTC. */
  readonly date: string;
  /** `status`: live ones first, then upcoming, then ended ones. */
  readonly sort: 'status' | 'time';
  /** Of the last game of the page before this one. */
  readonly after: number | undefined;
}

type ListedEvent = Awaited<ReturnType<typeof listEvents.run>>['events'][number];
export interface GameForecasts extends Pick<ListedEvent, 'id' | 'name' | 'sport' | 'league' | 'starts_at' | 'status'> {
  readonly bets: Intelligence['bets'];
  /** Whether the results of its league are still being learned. */
  readonly isLearning: boolean;
}

export interface DayForecasts {
  readonly games: readonly GameForecasts[];
  /** For the next page; null if this is the last one, or the order is by status. */
  readonly nextAfter: number | null;
  /** Whether there may be games that are left out. */
  readonly isCut: boolean;
}

export const GAMES_PER_PAGE = 40;
/** Games whose prices are folded as one answer of the limit for addresses. */
const GAMES_PER_FOLD = 5;

/** The games of a day with the server's forecasts and the market's fair prices, as the API's operations answer them. */
export async function readDayForecasts(
  call: KeylessCall,
  { sport, league, date, sort, after }: DayQuestion,
  admit: () => void,
): Promise<DayForecasts> {
  const paging = { sort, after_id: after, limit: GAMES_PER_PAGE, include_scores: false };
  const { events, next_after_id } = await call(listEvents, { sport, league, date, ...paging });
  const games: GameForecasts[] = [];
  for (const [index, event] of events.entries()) {
    if (index % GAMES_PER_FOLD === 0) admit();
    const answer = await intelligenceOf(call, event.id);
    games.push({ ...event, bets: answer?.bets ?? [], isLearning: answer?.learning ?? false });
    await setImmediate();
  }
  return { games, nextAfter: next_after_id, isCut: events.length === GAMES_PER_PAGE };
}

async function intelligenceOf(call: KeylessCall, id: number): Promise<Intelligence | undefined> {
  try {
    return await call(getIntelligence, { id });
  } catch (error) {
    // It was there a moment ago, and was merged into another one meanwhile.
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
