/** Statistics that belong together, as people look for them. */
export interface StatisticsGroup {
  /** What the group is called: `passing`, `batters`. */
  readonly groupName: string;
  readonly names: readonly string[];
}

/** How often each part counts in a sum: `{ hits: 1, doubles: 1, triples: 2, home_runs: 3 }`. */
export type WeightedSum = Readonly<Record<string, number>>;

/** The statistics whose means `stats` tells. */
interface AveragedStatistics {
  /** Counted from the score. */
  readonly fromScore: readonly string[];
  /** From the box of the event, a side's own and the other side's. */
  readonly bothSides: readonly string[];
  /** From the box of the event, a side's own alone. */
  readonly ownSideOnly: readonly string[];
}

/** The names of the statistics of a sport, or of two that are played alike. */
export interface SportStatistics {
  /** What people call the sport. */
  readonly title: string;
  /** Of a side. */
  readonly teams: readonly StatisticsGroup[];
  /** Of a player. */
  readonly players: readonly StatisticsGroup[];
  /** Statistics of a player that follow from others where a box does not state them: of which parts each is the sum. */
  readonly sums: Readonly<Record<string, WeightedSum>>;
  /** Those that follow from others by a rule of their own, in words. */
  readonly specialRules: Readonly<Record<string, string>>;
  readonly averaged: AveragedStatistics;
}

/** A sum in which every part counts once. */
export const sumOf = (...parts: readonly string[]): WeightedSum => Object.fromEntries(parts.map((part) => [part, 1]));
