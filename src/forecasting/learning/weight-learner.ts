import { type EventDocument, events, startSortKey } from '../../../projections/sports-events/events.ts';
import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { createReferenceWeightsLearnt, REFERENCE_WEIGHTS_STREAM } from '../../domain/odds/reference-weights.ts';
import { DAY, formatTime, HOUR, monthOf, startOfMonth } from '../../domain/primitives/time.ts';
import { ConflictError, type EventLog } from '../../event-log/port/event-log.ts';
import { settledResultOf } from '../../intelligence/facts/settled-result.ts';
import { winningOutcome } from '../../intelligence/forecasts/market-forecast.ts';
import type { LearntWeights } from '../../read-models/reference-weights/learnt-weights.ts';
import { findPages } from '../../read-models/store/query-pages.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { MarketQualities } from '../facts/market-qualities.ts';
import { LEARNING_WINDOW, learnByMonth, type ReviewedGame } from './weights-by-month.ts';

export interface WeightLearnerParts {
  readonly log: Pick<EventLog, 'append'>;
  readonly store: Pick<ReadStore, 'find'>;
  readonly marketQualities: Pick<MarketQualities, 'of'>;
  readonly learnt: LearntWeights;
  /** The weights of the configuration, by book. */
  readonly constants: Readonly<Record<string, number>>;
  /** Awaited between small pieces of work. */
  readonly pause: () => Promise<void>;
}

/** Learns the weights of reference books from settled games. */
export interface WeightLearner {
  /**
   * Appends the weights of every month that has begun and has none, walking forward from the first game on. Several may
   * run on a log: each fact expects the revision of its stream.
   * @param now milliseconds
   */
  learnDue(now: number, signal: AbortSignal): Promise<void>;
}

/** How long after the first of a month its weights are learnt: the games of the day before are over. */
const AFTER_MONTH_START = 12 * HOUR;
const PAGE = 50;

export function createWeightLearner(parts: WeightLearnerParts): WeightLearner {
  const { log, store, marketQualities, learnt, constants, pause } = parts;
  let learntUntil = Number.NEGATIVE_INFINITY;

  async function* gamesOf(sport: string, from: number, until: number, signal: AbortSignal) {
    const query = {
      where: { sport, status: 'final' },
      range: { field: 'starts_at', from, to: until - 1 },
      order: { field: 'starts_at', direction: 'asc' },
      limit: PAGE,
    } as const;
    for await (const page of findPages<EventDocument>(store, events.name, query, startSortKey)) {
      for (const { document } of page) {
        signal.throwIfAborted();
        const game = await reviewed(document);
        if (game) yield game;
      }
    }
  }

  async function reviewed(document: EventDocument): Promise<ReviewedGame | undefined> {
    const result = settledResultOf(document);
    const outcome = result && winningOutcome(document.sport, 'h2h', null, result);
    if (outcome === null) return undefined;
    const { views } = await marketQualities.of(document);
    if (Object.keys(views).length < 2) return undefined;
    return { startsAt: timeOf(document.event.schedule!.starts_at), outcome, views };
  }

  async function learnSport(sport: string, until: number, now: number, signal: AbortSignal): Promise<void> {
    const newest = learnt.newest(sport);
    const after = newest ? newest.from - DAY : Number.NEGATIVE_INFINITY;
    if (after >= until) return;
    const games = gamesOf(sport, newest ? after - LEARNING_WINDOW : 0, until, signal);
    for await (const one of learnByMonth(games, { constants, after, until, pause })) {
      signal.throwIfAborted();
      const fact = createReferenceWeightsLearnt({ sport, ...one, at: formatTime(now) });
      await log.append(REFERENCE_WEIGHTS_STREAM, [fact], learnt.known === 0 ? 'none' : learnt.known - 1);
      await learnt.refresh();
    }
  }

  return {
    async learnDue(now, signal) {
      const until = startOfMonth(monthOf(now - AFTER_MONTH_START));
      if (until === learntUntil) return;
      await learnt.refresh();
      try {
        for (const sport of SPORT_SLUGS) await learnSport(sport, until, now, signal);
        learntUntil = until;
      } catch (error) {
        // Another process learns too: what it has appended stands, and the rest is looked for again.
        if (!(error instanceof ConflictError)) throw error;
      }
    },
  };
}
