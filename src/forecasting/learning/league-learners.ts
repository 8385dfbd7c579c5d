import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { isTennis } from '../../domain/catalogue/sport-rules.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { modelOf } from '../../intelligence/models/index.ts';
import type { PlayerRanking, PlayerRankings } from '../facts/player-rankings.ts';
import type { KeptMemory, OldResults } from './kept-memory.ts';
import { LeagueLearner } from './league-learner.ts';
import type { LeagueEventResults } from './packed-results.ts';

/** Room for the results of some 350,000 events. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A sport and a league of it. */
export type LeagueKey = string;

export const leagueKeyOf = (sport: SportSlug, league: string): LeagueKey => `${sport} ${league}`;
const namesIn = (key: LeagueKey) => key.split(' ') as [sport: SportSlug, league: string];

/**
 * The learners of all leagues. When they exceed the memory limit, the results of the oldest months are dropped in all
 * leagues. Which results are dropped depends only on the known results, not on the order in which they came.
 */
export class LeagueLearners {
  readonly #leagues = new Map<LeagueKey, LeagueLearner>();
  readonly #rankings: PlayerRankings;
  readonly #maxBytes: number;
  /** Results from before this moment were dropped. */
  #since = Number.NEGATIVE_INFINITY;

  constructor(rankings: PlayerRankings, maxBytes = MAX_BYTES) {
    this.#rankings = rankings;
    this.#maxBytes = maxBytes;
  }

  learnerOf(sport: SportSlug, league: string): LeagueLearner {
    const key = leagueKeyOf(sport, league);
    const known = this.#leagues.get(key);
    if (known) return known;
    const made = new LeagueLearner(modelOf(sport, league), this.#rankings.ofSides);
    made.forgetBefore(this.#since);
    this.#leagues.set(key, made);
    return made;
  }

  has(eventId: number): boolean {
    for (const league of this.#leagues.values()) if (league.has(eventId)) return true;
    return false;
  }

  /** Goes on from what was learned of a league's old results. Call this before anything is put. */
  goOnFrom(key: LeagueKey, memory: KeptMemory, old: OldResults): void {
    this.#since = Math.max(this.#since, memory.since);
    this.learnerOf(...namesIn(key)).goOnFrom(memory, old);
  }

  find(key: LeagueKey): LeagueLearner | undefined {
    return this.#leagues.get(key);
  }

  /** Differs if the rankings from before a moment do that a league's model learns from. */
  rankingsBefore(key: LeagueKey, moment: number): string {
    return isTennis(namesIn(key)[0]) ? this.#rankings.digestBefore(moment) : '';
  }

  /** The learners by their keys. */
  entries(): Iterable<readonly [LeagueKey, LeagueLearner]> {
    return this.#leagues;
  }

  put(story: LeagueEventResults): void {
    this.learnerOf(story.sport, story.league).put(story);
    // What is not in memory cannot be dropped: `learn` reads it first.
    if (!this.lacksOld) this.#forgetMonths();
  }

  /** Forgets everything. */
  clear(): void {
    this.#leagues.clear();
    this.#since = Number.NEGATIVE_INFINITY;
  }

  /** Forgets an event that has no records any more. */
  remove(eventId: number): void {
    for (const league of this.#leagues.values()) league.remove(eventId);
  }

  /** Adds a ranking of a player. */
  addRanking(sport: string, ranking: PlayerRanking): void {
    if (!this.#rankings.add(ranking)) return;
    for (const [key, league] of this.#leagues) if (key.startsWith(`${sport} `)) league.relearnFrom(ranking.at);
  }

  get isBehind(): boolean {
    for (const league of this.#leagues.values()) if (league.isBehind) return true;
    return false;
  }

  /** Learns the results that were put; see `LeagueLearner.learn`. */
  async learn(pause: () => Promise<void>, onPartly: (sport: string, league: string) => void = () => {}): Promise<void> {
    if (this.lacksOld && this.#bytes > this.#maxBytes) {
      for (const league of this.#leagues.values()) await league.readOld(pause);
      this.#forgetMonths();
    }
    for (const [key, learner] of this.#leagues) {
      const [sport, league] = namesIn(key);
      await learner.learn(pause, () => onPartly(sport, league));
    }
  }

  get size(): CacheSize {
    return { bytes: this.#bytes, limit: this.#maxBytes };
  }

  get #bytes(): number {
    let bytes = 0;
    for (const league of this.#leagues.values()) bytes += league.bytes;
    return bytes;
  }

  /** Whether the old results of a league are not in memory. */
  get lacksOld(): boolean {
    for (const league of this.#leagues.values()) if (league.lacksOld) return true;
    return false;
  }

  #forgetMonths(): void {
    while (this.#bytes > this.#maxBytes) this.#forgetMonth();
  }

  #forgetMonth(): void {
    let oldest = Number.POSITIVE_INFINITY;
    for (const league of this.#leagues.values()) oldest = Math.min(oldest, league.oldest ?? oldest);
    const month = new Date(oldest);
    this.#since = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
    for (const league of this.#leagues.values()) league.forgetBefore(this.#since);
  }
}
