import { group } from 'd3-array';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { modelOf } from '../models/index.ts';
import type { Fixture, Forecast } from '../models/model.ts';
import { compareFacts, type EventFacts, type KnownFixture, type KnownResult } from './event-facts.ts';
import { HISTORY_WINDOW, LeagueHistory } from './league-history.ts';

/** Results of its league that must be known before a game. */
export const MIN_RESULTS = 100;

/** The place of a player in the official ranking just before a moment (milliseconds); null where it is not known. */
export type RankAt = (player: string, moment: number) => number | null;

interface LeagueProgress {
  readonly history: LeagueHistory<unknown, unknown>;
  /** In order of time, then of the facts. */
  readonly results: readonly { readonly story: EventFacts; readonly known: KnownResult }[];
  next: number;
  /** Results of before this moment are learnt. */
  learntTo: number;
}

/**
 * Forecasts events of one sport from the facts of before any moment, whatever the order in which these came. Meant to
 * be asked in order of starts: it learns up to the latest moment asked for, and remembers `KEPT_FOR` back.
 */
export class Forecaster {
  readonly #leagues = new Map<string, LeagueProgress>();
  readonly #rankAt: RankAt;

  /** @param stories all events of the sport of which something is known */
  constructor(sport: SportSlug, stories: readonly EventFacts[], rankAt: RankAt) {
    this.#rankAt = rankAt;
    for (const [league, ofLeague] of group(stories, (story) => story.league)) {
      this.#leagues.set(league, {
        history: new LeagueHistory(modelOf(sport, league)),
        results: ofLeague
          .flatMap((story) => story.results.map((known) => ({ story, known })))
          .sort(
            (a, b) => a.known.at - b.known.at || compareFacts(a.known.fact, b.known.fact) || byName(a.story, b.story),
          ),
        next: 0,
        learntTo: Number.NEGATIVE_INFINITY,
      });
    }
  }

  /** Learns what was known before a moment. @returns whether something is left to learn: it takes a few at once */
  learn(league: string, moment: number, most = Number.POSITIVE_INFINITY): boolean {
    const known = this.#leagues.get(league);
    if (!known || moment <= known.learntTo) return false;
    for (let learnt = 0; known.next < known.results.length; learnt++) {
      const { story, known: result } = known.results[known.next]!;
      if (result.at >= moment) break;
      if (learnt === most) return true;
      const game = result.game && { ...result.game, ranks: this.#ranksOf(result.game, story.closesAt) };
      known.history.put(result.at, String(story.id), game);
      known.next += 1;
    }
    known.learntTo = moment;
    return false;
  }

  /**
   * The forecast from what was known before a moment; null where there was none: a side was open, or fewer than 100
   * results were known. Null too further back than it remembers.
   */
  forecastAt(story: EventFacts, moment: number): Forecast | null {
    const known = this.#knownAt(story, moment);
    return known ? known.history.forecastAt(moment, known.fixture) : null;
  }

  /** The same of the part of the game that has lines of its own; null too where the model says nothing of it. */
  scopeAt(story: EventFacts, moment: number): Forecast | null {
    const known = this.#knownAt(story, moment);
    return known ? known.history.scopeAt(moment, known.fixture) : null;
  }

  #knownAt(story: EventFacts, moment: number): { history: LeagueHistory<unknown, unknown>; fixture: Fixture } | null {
    const fixture = story.fixtures.before(moment);
    const league = this.#leagues.get(story.league);
    if (!fixture || !league) return null;
    this.learn(story.league, moment);
    if (moment < league.learntTo - HISTORY_WINDOW) return null;
    if (league.history.countResultsBefore(moment) < MIN_RESULTS) return null;
    return { history: league.history, fixture: { ...fixture, ranks: this.#ranksOf(fixture, moment) } };
  }

  #ranksOf({ home, away }: KnownFixture, moment: number): Fixture['ranks'] {
    return { home: this.#rankAt(home, moment), away: this.#rankAt(away, moment) };
  }
}

const byName = (a: EventFacts, b: EventFacts): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
