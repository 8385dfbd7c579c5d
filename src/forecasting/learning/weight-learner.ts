import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import { createReferenceWeightsLearnt, REFERENCE_WEIGHTS_STREAM } from '../../domain/odds/reference-weights.ts';
import { DAY, formatTime, HOUR, monthOf, startOfMonth, startOfNextMonth } from '../../domain/primitives/time.ts';
import { ConflictError, type EventLog } from '../../event-log/port/event-log.ts';
import type { LearntWeights } from '../../read-models/reference-weights/learnt-weights.ts';
import { pastIsWholeAt } from './late-facts.ts';
import { type ReviewedGamesParts, reviewedGames } from './reviewed-games.ts';
import { LEARNING_WINDOW, LEAST_GAMES, learnByMonth } from './weights-by-month.ts';

export interface WeightLearnerParts extends ReviewedGamesParts {
  readonly log: Pick<EventLog, 'append' | 'readBackwards'>;
  readonly learnt: LearntWeights;
  /** The weights of the configuration, by book. */
  readonly constants: Readonly<Record<string, number>>;
  /**
   * Resolves when the read models show everything that is in the log now: what is learnt stays, so nothing is learnt
   * from a part of it.
   */
  readonly waitUntilWhole: (signal: AbortSignal) => Promise<unknown>;
  /** Awaited between small pieces of work. */
  readonly pause: () => Promise<void>;
  /** One sport's error holds up no other sport. */
  readonly onError: (error: unknown, sport: string) => void;
}

/** Learning waits for former months to be whole no longer than that. */
const LONGEST_WAIT = DAY;

/** What came of a look; the time is in milliseconds. */
export type Look = 'done' | 'again' | { readonly wholeAt: number };

/** Learns the weights of reference books from settled games. */
export interface WeightLearner {
  /**
   * Appends the weights of the months that have begun and have none, walking forward: those behind the newest month of a
   * sport that has some, and at the first look those before its oldest. Several may run on a log: each fact expects the
   * revision of its stream.
   * @param now milliseconds
   * What stays as it is learnt is not learnt from a part of a month: while facts of the months before still come to the
   * log, nothing is learnt.
   * @returns `done`; `again`: it is to be tried again, for an error was told or another process learns too; or when it is
   * to be tried again because former months come in now
   * @throws errors of the log and of the read models that concern all sports
   */
  learnDue(now: number, signal: AbortSignal): Promise<Look>;
  /**
   * A result of a sport has come.
   * @param at when it was observed: milliseconds
   * @returns `late`: of a month that was looked at; `due`: so many of these came that the sport is looked at again from
   * the beginning of the log
   */
  noteResult(sport: string, at: number): 'late' | 'due' | undefined;
}

/** How long after the first of a month its weights are learnt: the games of the day before are over. */
const AFTER_MONTH_START = 12 * HOUR;

/** The beginning of the newest month whose weights can be learnt at a moment. Both in milliseconds. */
const newestMonth = (now: number): number => startOfMonth(monthOf(now - AFTER_MONTH_START));

/** When the weights of the next month can be learnt: milliseconds. */
export const nextMonthIsDueAt = (now: number): number => startOfNextMonth(newestMonth(now)) + AFTER_MONTH_START;

interface Months {
  /** The start of the first game that is read. */
  readonly from: number;
  /** Weights are learnt for months that begin after this, until the other one. */
  readonly after: number;
  readonly until: number;
}

export function createWeightLearner(parts: WeightLearnerParts): WeightLearner {
  const { log, learnt, constants, waitUntilWhole, onError } = parts;
  /** By sport: the newest month that was looked at. None: it is looked at from the beginning of the log. */
  const lookedUntil = new Map<string, number>();
  let newestLook = Number.NEGATIVE_INFINITY;
  /** Since when learning waits for former months to be whole. Milliseconds. */
  let heldSince: number | undefined;
  /** By sport: results of months that were looked at, which came since. */
  const late = new Map<string, number>();

  async function pauseOrStop(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await parts.pause();
  }

  async function learnMonths(sport: string, { from, after, until }: Months, now: number, signal: AbortSignal) {
    const pause = () => pauseOrStop(signal);
    const games = reviewedGames(parts, { sport, from, until, pause });
    for await (const one of learnByMonth(games, { constants, after, until, pause })) {
      signal.throwIfAborted();
      const fact = createReferenceWeightsLearnt({ sport, ...one, at: formatTime(now) });
      await log.append(REFERENCE_WEIGHTS_STREAM, [fact], learnt.known === 0 ? 'none' : learnt.known - 1);
      await learnt.refresh();
    }
  }

  async function learnSport(sport: string, until: number, now: number, signal: AbortSignal): Promise<void> {
    const looked = lookedUntil.get(sport);
    const oldest = learnt.oldest(sport);
    if (looked === undefined && oldest) {
      const monthBefore = startOfMonth(monthOf(oldest.from - 2 * DAY));
      const past = { from: 0, after: Number.NEGATIVE_INFINITY, until: monthBefore };
      await learnMonths(sport, past, now, signal);
    }
    const newest = learnt.newest(sport);
    const after = newest ? newest.from - DAY : (looked ?? Number.NEGATIVE_INFINITY);
    if (after < until)
      await learnMonths(sport, { from: Math.max(0, after - LEARNING_WINDOW), after, until }, now, signal);
  }

  return {
    async learnDue(now, signal) {
      const until = newestMonth(now);
      const due = SPORT_SLUGS.filter((sport) => lookedUntil.get(sport) !== until);
      if (due.length === 0) return 'done';
      await waitUntilWhole(signal);
      const wholeAt = await pastIsWholeAt(log, { before: until, now, pause: () => pauseOrStop(signal) });
      if (wholeAt !== undefined) {
        heldSince ??= now;
        // Somebody may correct former months day by day: they are learnt from as they are then.
        if (now - heldSince < LONGEST_WAIT) return { wholeAt };
      }
      heldSince = undefined;
      newestLook = until;
      await learnt.refresh();
      let isDone = true;
      for (const sport of due) {
        const known = late.get(sport) ?? 0;
        try {
          await learnSport(sport, until, now, signal);
          // Those that came meanwhile may not have been read.
          const unread = (late.get(sport) ?? 0) - known;
          late.set(sport, unread);
          if (unread < LEAST_GAMES) lookedUntil.set(sport, until);
        } catch (error) {
          signal.throwIfAborted();
          isDone = false;
          // Another process learns too: what it has appended stands, and the rest is looked for again.
          if (!(error instanceof ConflictError)) onError(error, sport);
          await learnt.refresh();
        }
      }
      return isDone ? 'done' : 'again';
    },
    noteResult(sport, at) {
      if (at >= newestLook) return undefined;
      const count = (late.get(sport) ?? 0) + 1;
      late.set(sport, count);
      if (count < LEAST_GAMES) return 'late';
      lookedUntil.delete(sport);
      return 'due';
    },
  };
}
