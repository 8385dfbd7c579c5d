import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { modelOf } from '../../intelligence/models/index.ts';
import type { PlayerRanking, PlayerRankings } from '../facts/player-rankings.ts';
import { LeagueLearner } from './league-learner.ts';
import type { LeagueEventResults } from './packed-results.ts';

/** Room for the results of some 350,000 events. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * What is learnt of all leagues. Where it takes more than there is room for, the results of the oldest months leave, in
 * all leagues: which ones depends on what is known alone, and not on the order in which it came.
 */
export class LeagueLearners {
  readonly #leagues = new Map<string, LeagueLearner>();
  readonly #rankings: PlayerRankings;
  readonly #mostBytes: number;
  /** Results of before this moment have left. */
  #since = Number.NEGATIVE_INFINITY;

  constructor(rankings: PlayerRankings, mostBytes = MAX_BYTES) {
    this.#rankings = rankings;
    this.#mostBytes = mostBytes;
  }

  learnerOf(sport: SportSlug, league: string): LeagueLearner {
    const key = `${sport} ${league}`;
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

  put(story: LeagueEventResults): void {
    this.learnerOf(story.sport, story.league).put(story);
    while (this.#bytes > this.#mostBytes) this.#forgetMonth();
  }

  /** A player's place has become known. */
  addRanking(sport: string, ranking: PlayerRanking): void {
    if (!this.#rankings.add(ranking)) return;
    for (const [key, league] of this.#leagues) if (key.startsWith(`${sport} `)) league.relearnFrom(ranking.at);
  }

  get isBehind(): boolean {
    for (const league of this.#leagues.values()) if (league.isBehind) return true;
    return false;
  }

  /** Learns what was put; see `LeagueForecasts.learn`. */
  async learn(pause: () => Promise<void>): Promise<void> {
    for (const league of this.#leagues.values()) await league.learn(pause);
  }

  get size(): CacheSize {
    return { bytes: this.#bytes, limit: this.#mostBytes };
  }

  get #bytes(): number {
    let bytes = 0;
    for (const league of this.#leagues.values()) bytes += league.bytes;
    return bytes;
  }

  #forgetMonth(): void {
    let oldest = Number.POSITIVE_INFINITY;
    for (const league of this.#leagues.values()) oldest = Math.min(oldest, league.oldest ?? oldest);
    const month = new Date(oldest);
    this.#since = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
    for (const league of this.#leagues.values()) league.forgetBefore(this.#since);
  }
}
