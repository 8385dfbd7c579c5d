import { canonicalJson } from '../../domain/primitives/canonical-json.ts';
import { DAY, formatDate, startOfNextMonth } from '../../domain/primitives/time.ts';
import { type BookWeights, type ClosedGame, learnWeights } from '../../intelligence/evaluation/learn-weights.ts';

/** A game that was played to its end, with what the books said of it at its start. */
export interface ReviewedGame extends ClosedGame {
  /** Milliseconds. */
  readonly startsAt: number;
}

/** The weights that games before a month have taught. */
export interface MonthlyWeights {
  /** The day from whose beginning (UTC) they are in force: YYYY-MM-DD, the second of the month. */
  readonly date: string;
  readonly weights: BookWeights;
  /** How many games taught them. */
  readonly games: number;
}

interface Terms {
  readonly constants: BookWeights;
  /** Weights are learnt for the months that begin after this moment, until the other one: milliseconds. */
  readonly after: number;
  readonly until: number;
  readonly pause: () => Promise<void>;
}

/** Games that are learnt from: the newest ones of the last three years. A bound of memory and of work too. */
export const LEARNING_WINDOW = 3 * 366 * DAY;
const MAX_GAMES = 3000;
/** Fewer games teach nothing. */
export const LEAST_GAMES = 200;

/** From when weights of this date are in force, for the first of a month: a day later, so that all processes have them. */
export const inForceFrom = (monthStart: number): number => monthStart + DAY;

/** A game with its place among those that start with it. */
interface PlacedGame extends ReviewedGame {
  /** Made once: many games may start at one moment. Not its id: ids follow the order of arrival, on which nothing may depend. */
  readonly place: string;
}

const inOrder = (a: PlacedGame, b: PlacedGame): number =>
  a.startsAt - b.startsAt || (a.place < b.place ? -1 : a.place > b.place ? 1 : 0);

/**
 * Walks through games and learns the weights of each month from those that started before it. A month before which no
 * other game has come since the last weights keeps these.
 * @param games of one sport, in the order of their starts
 */
export async function* learnByMonth(
  games: AsyncIterable<ReviewedGame> | Iterable<ReviewedGame>,
  { constants, after, until, pause }: Terms,
): AsyncGenerator<MonthlyWeights> {
  /** In order. */
  let window: PlacedGame[] = [];
  /** Those that came since, of one month. */
  let fresh: PlacedGame[] = [];
  let month: number | undefined;
  let hasNew = false;

  /** Games come in the order of their starts, so whatever is fresh starts behind the window. */
  function merge(): void {
    window = [...window, ...fresh.sort(inOrder)].slice(-MAX_GAMES);
    fresh = [];
  }

  async function learn(monthStart: number): Promise<MonthlyWeights | undefined> {
    merge();
    window = window.filter(({ startsAt }) => startsAt >= monthStart - LEARNING_WINDOW);
    if (!hasNew || monthStart <= after || window.length < LEAST_GAMES) return undefined;
    hasNew = false;
    const weights = await learnWeights(window, constants, pause);
    return weights ? { date: formatDate(inForceFrom(monthStart)), weights, games: window.length } : undefined;
  }

  for await (const game of games) {
    month ??= startOfNextMonth(game.startsAt);
    for (; month <= game.startsAt && month <= until; month = startOfNextMonth(month)) {
      const learnt = await learn(month);
      if (learnt) yield learnt;
    }
    if (game.startsAt >= until) break;
    await pause();
    fresh.push({ ...game, place: canonicalJson([game.views, game.outcome]) });
    // What is not among the newest so far is not among the newest of the month.
    if (fresh.length >= 2 * MAX_GAMES) fresh = fresh.sort(inOrder).slice(-MAX_GAMES);
    hasNew ||= game.startsAt >= after;
  }
  for (; month !== undefined && month <= until; month = startOfNextMonth(month)) {
    const learnt = await learn(month);
    if (learnt) yield learnt;
  }
}
