import { ascending, group } from 'd3-array';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { modelOf } from '../models/index.ts';
import type { Fixture, Forecast } from '../models/model.ts';
import { compareFacts, type EventFacts, type KnownFixture, type KnownResult } from './event-facts.ts';
import { HISTORY_WINDOW, LeagueHistory } from './league-history.ts';

/** How many results of its league must be known before a game can be forecast. */
export const MIN_RESULTS = 100;

/** A player's official rank just before a moment (milliseconds); null if unknown. */
export type RankAt = (player: string, moment: number) => number | null;

interface LeagueProgress {
  readonly history: LeagueHistory<unknown, unknown>;
  /** In order of time, then of the facts. */
  readonly results: readonly { readonly story: EventFacts; readonly known: KnownResult }[];
  next: number;
  /** All results from before this moment are learned. */
  learnedTo: number;
}

/**
 * Forecasts the events of one sport from the facts before any moment, whatever the order in which the facts came. Ask
 * in the order of starts: the forecaster learns up to the latest moment asked for, and remembers only `HISTORY_WINDOW`
 * before it.
 */
export class Forecaster {
  readonly #leagues = new Map<string, LeagueProgress>();
  readonly #rankAt: RankAt;

  /**
   * @param stories all known events of the sport
   * @param without ids of parts of the sport's model that are left out
   */
  constructor(sport: SportSlug, stories: readonly EventFacts[], rankAt: RankAt, without: readonly string[] = []) {
    this.#rankAt = rankAt;
    for (const [league, ofLeague] of group(stories, (story) => story.league)) {
      this.#leagues.set(league, {
        history: new LeagueHistory(modelOf(sport, league, without)),
        results: ofLeague
          .flatMap((story) => story.results.map((known) => ({ story, known })))
          .sort(
            (a, b) =>
              a.known.at - b.known.at ||
              compareFacts(a.known.fact, b.known.fact) ||
              ascending(a.story.name, b.story.name),
          ),
        next: 0,
        learnedTo: Number.NEGATIVE_INFINITY,
      });
    }
  }

  /**
   * Learns the results that were known before a moment, at most `max` of them.
   * @returns whether results are left to learn
   */
  learn(league: string, moment: number, max = Number.POSITIVE_INFINITY): boolean {
    const progress = this.#leagues.get(league);
    if (!progress || moment <= progress.learnedTo) return false;
    for (let count = 0; progress.next < progress.results.length; count++) {
      const { story, known: result } = progress.results[progress.next]!;
      if (result.at >= moment) break;
      if (count === max) return true;
      const game = result.game && { ...result.game, ranks: this.#ranksOf(result.game, story.closesAt) };
      progress.history.put(result.at, String(story.id), game);
      progress.next += 1;
    }
    progress.learnedTo = moment;
    return false;
  }

  /**
   * The forecast from what was known before a moment. Null if a side was unknown, if fewer than 100 results were known,
   * or if the moment is too long ago.
   */
  forecastAt(story: EventFacts, moment: number): Forecast | null {
    const known = this.#knownAt(story, moment);
    return known ? known.history.forecastAt(moment, known.fixture) : null;
  }

  /** The same for the part of the game that has lines of its own; also null if the model does not forecast it. */
  scopeAt(story: EventFacts, moment: number): Forecast | null {
    const known = this.#knownAt(story, moment);
    return known ? known.history.scopeAt(moment, known.fixture) : null;
  }

  #knownAt(story: EventFacts, moment: number): { history: LeagueHistory<unknown, unknown>; fixture: Fixture } | null {
    const fixture = story.fixtures.before(moment);
    const league = this.#leagues.get(story.league);
    if (!fixture || !league) return null;
    this.learn(story.league, moment);
    if (moment < league.learnedTo - HISTORY_WINDOW) return null;
    if (league.history.countResultsBefore(moment) < MIN_RESULTS) return null;
    return { history: league.history, fixture: { ...fixture, ranks: this.#ranksOf(fixture, moment) } };
  }

  #ranksOf({ home, away }: KnownFixture, moment: number): Fixture['ranks'] {
    return { home: this.#rankAt(home, moment), away: this.#rankAt(away, moment) };
  }
}
