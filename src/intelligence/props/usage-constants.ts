import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';

/** How a statistic follows from how often a player is used: his attempts, his targets, his carries. */
export interface UsageConstants {
  /** The statistics whose sum is his usage in a game. */
  readonly uses: readonly string[];
  /** The share of his recent usage in what is expected; the rest is his usage over a longer time. */
  readonly recentShare: number;
  /** The factors by which each later game reduces a game's weight, in both. */
  readonly recentDecay: number;
  readonly decay: number;
  /** The usual usage, and how many games it weighs. */
  readonly usual: { readonly uses: number; readonly games: number };
  /** What a use usually makes: of all, and of backs; `uses` is its weight. Null if the statistic is the usage itself. */
  readonly efficiency: { readonly usual: number; readonly ofBacks: number; readonly uses: number } | null;
  /** The variance is `mean + mean^2 / r`. */
  readonly r: number;
  /** For games without any count at all: the usual share, and how many games it weighs. */
  readonly zeros: { readonly share: number; readonly games: number } | null;
  /**
   * How much of the log odds is left on a line that bookmakers set near to what they expect, since they know more than
   * past games; 1 for a line that is always the same, which says nothing. `near even`: only small log odds are reduced.
   */
  readonly leftOnMarketLine: number | 'near even';
}

const attempts = {
  uses: ['passing_attempts'],
  recentShare: 0,
  recentDecay: 0.6,
  decay: 0.9,
  usual: { uses: 30, games: 3.6 },
  leftOnMarketLine: 0.5,
} as const;
const carries = {
  uses: ['rushing_attempts'],
  recentShare: 0.4,
  recentDecay: 0.4,
  decay: 0.97,
  usual: { uses: 9, games: 0.6 },
  leftOnMarketLine: 'near even',
} as const;
const targets = { uses: ['targets'], usual: { uses: 4.9, games: 1 }, leftOnMarketLine: 0.6 } as const;

// Fitted on the NFL of 2021 alone by `npm run bench -- player-usage-fit`, then rounded (docs/models.md). What is left on
// a line of bookmakers was fitted for each.
const FOOTBALL: Readonly<Record<string, UsageConstants>> = {
  passing_yards: {
    ...attempts,
    decay: 0.93,
    usual: { uses: 30, games: 8 },
    efficiency: { usual: 7, ofBacks: 7, uses: 100 },
    r: 13.5,
    zeros: { share: 0.1, games: 7 },
    leftOnMarketLine: 0.7,
  },
  passing_completions: {
    ...attempts,
    efficiency: { usual: 0.64, ofBacks: 0.64, uses: 80 },
    r: 40,
    zeros: { share: 0.16, games: 3.4 },
  },
  passing_attempts: { ...attempts, decay: 0.88, efficiency: null, r: 32, zeros: { share: 0.16, games: 5.2 } },
  passing_touchdowns: {
    ...attempts,
    decay: 0.97,
    usual: { uses: 30, games: 2.2 },
    efficiency: { usual: 0.043, ofBacks: 0.043, uses: 157 },
    r: 118,
    zeros: null,
    leftOnMarketLine: 0.7,
  },
  rushing_yards: {
    ...carries,
    efficiency: { usual: 4.3, ofBacks: 4.3, uses: 40 },
    r: 1.95,
    zeros: { share: 0.26, games: 1.1 },
  },
  rushing_attempts: {
    ...carries,
    recentShare: 0.44,
    decay: 0.98,
    usual: { uses: 8.4, games: 0.33 },
    efficiency: null,
    r: 3.5,
    zeros: null,
    leftOnMarketLine: 0.5,
  },
  receiving_yards: {
    ...targets,
    recentShare: 0.29,
    recentDecay: 0.77,
    decay: 0.97,
    efficiency: { usual: 7.8, ofBacks: 5.8, uses: 30 },
    r: 1.78,
    zeros: { share: 0.16, games: 4 },
    leftOnMarketLine: 0.45,
  },
  receptions: {
    ...targets,
    recentShare: 0.1,
    recentDecay: 0.6,
    decay: 0.88,
    efficiency: { usual: 0.65, ofBacks: 0.65, uses: 30 },
    r: 8,
    zeros: null,
  },
  touchdowns: {
    uses: ['rushing_attempts', 'targets'],
    recentShare: 0.2,
    recentDecay: 0.35,
    decay: 0.98,
    usual: { uses: 5.2, games: 0.7 },
    efficiency: { usual: 0.05, ofBacks: 0.035, uses: 148 },
    r: 50,
    zeros: null,
    leftOnMarketLine: 1,
  },
};

/** The constants of a statistic that follows from usage; undefined for any other. */
export function usageConstantsOf(sport: SportSlug, stat: string): UsageConstants | undefined {
  const like = playsLike(sport);
  return like === 'nfl' || like === 'ncaaf' ? ownValue(FOOTBALL, stat) : undefined;
}
