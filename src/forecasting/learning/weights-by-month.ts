import { compareCanonical } from '../../domain/primitives/canonical-json.ts';
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
const LEAST_GAMES = 200;

/** From when weights of this date are in force, for the first of a month: a day later, so that all processes have them. */
export const inForceFrom = (monthStart: number): number => monthStart + DAY;

/** Not by id: ids follow the order of arrival, on which nothing may depend. */
const inOrder = (a: ReviewedGame, b: ReviewedGame): number =>
  a.startsAt - b.startsAt || compareCanonical([a.views, a.outcome], [b.views, b.outcome]);

/**
 * Walks through games and learns the weights of each month from those that started before it. A month before which no
 * other game has come since the last weights keeps these.
 * @param games of one sport, in the order of their starts
 */
export async function* learnByMonth(
  games: AsyncIterable<ReviewedGame> | Iterable<ReviewedGame>,
  { constants, after, until, pause }: Terms,
): AsyncGenerator<MonthlyWeights> {
  let window: ReviewedGame[] = [];
  let month: number | undefined;
  let hasNew = false;

  async function learn(monthStart: number): Promise<MonthlyWeights | undefined> {
    window = window
      .filter(({ startsAt }) => startsAt >= monthStart - LEARNING_WINDOW)
      .sort(inOrder)
      .slice(-MAX_GAMES);
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
    if (window.length >= 2 * MAX_GAMES) window = window.slice(-MAX_GAMES);
    window.push(game);
    hasNew ||= game.startsAt >= after;
  }
  for (; month !== undefined && month <= until; month = startOfNextMonth(month)) {
    const learnt = await learn(month);
    if (learnt) yield learnt;
  }
}
