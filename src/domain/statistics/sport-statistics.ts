/** A group of related statistics. */
export interface StatisticsGroup {
  /** Name of the group: `passing`, `batters`. */
  readonly groupName: string;
  readonly names: readonly string[];
}

/** The weight of each part of a sum: `{ hits: 1, doubles: 1, triples: 2, home_runs: 3 }`. */
export type WeightedSum = Readonly<Record<string, number>>;

/** The statistics that `stats` answers with averages. */
interface AveragedStatistics {
  /** Computed from the score. */
  readonly fromScore: readonly string[];
  /** From the box score: the side's own value and the opponent's. */
  readonly bothSides: readonly string[];
  /** From the box score: the side's own value only. */
  readonly ownSideOnly: readonly string[];
}

/** The statistics of a sport, or of two sports with the same rules. */
export interface SportStatistics {
  /** Name of the sport for readers. */
  readonly title: string;
  /** Statistics of a side. */
  readonly teams: readonly StatisticsGroup[];
  /** Statistics of a player. */
  readonly players: readonly StatisticsGroup[];
  /** Player statistics that are computed as sums of others if a box does not state them. */
  readonly sums: Readonly<Record<string, WeightedSum>>;
  /** Player statistics with another rule of computation, in words. */
  readonly specialRules: Readonly<Record<string, string>>;
  readonly averaged: AveragedStatistics;
}

/** A sum with weight 1 for every part. */
export const sumOf = (...parts: readonly string[]): WeightedSum => Object.fromEntries(parts.map((part) => [part, 1]));
