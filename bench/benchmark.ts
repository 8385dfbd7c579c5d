/** What a benchmark may use. */
export interface Setting {
  /** A folder of its own, empty, deleted after it. */
  readonly folder: string;
  /** Folder of real data files (LEDGERLINE_DATA), for those that measure on them; undefined: say so and measure less. */
  readonly data: string | undefined;
  /** Small sizes: to see that it works, not what it tells. */
  readonly quick: boolean;
  /** A line of progress for whoever waits; not part of the result. */
  say(text: string): void;
}

/** The number that a figure is compared with, measured in the same run: the bare library, the bare server, a peer. */
export interface Floor {
  readonly what: string;
  readonly value: number;
}

/** What is to be reached, by the value itself or by its ratio to the floor. */
export interface Goal {
  readonly of: 'value' | 'ratio';
  readonly bound: 'at least' | 'at most';
  readonly number: number;
}

/** The least and the most of what several runs gave. */
export interface Spread {
  readonly least: number;
  readonly most: number;
}

export interface Figure {
  readonly what: string;
  readonly value: number;
  /** `records/s`, `ms`, `MiB`, ... */
  readonly unit: string;
  readonly floor?: Floor;
  readonly goal?: Goal;
  /** Of the values that this one is the median of. */
  readonly spread?: Spread;
}

export interface Benchmark {
  /** What stands behind `npm run bench --`. */
  readonly name: string;
  readonly summary: string;
  /** How often it is run unless told; 3 where it says nothing. */
  readonly runs?: number;
  /** Runs only when it is named: it takes hours. */
  readonly isLong?: boolean;
  /** Rejects when what it measured turned out wrong: a fast wrong answer is no figure. */
  run(setting: Setting): Promise<readonly Figure[]>;
}

/** Value divided by floor; undefined without one. */
export const ratioOf = ({ value, floor }: Figure): number | undefined => (floor ? value / floor.value : undefined);

/** Whether the goal is reached; undefined without one. */
export function isReached(figure: Figure): boolean | undefined {
  const { goal } = figure;
  if (!goal) return undefined;
  const measured = goal.of === 'value' ? figure.value : (ratioOf(figure) ?? Number.NaN);
  return goal.bound === 'at least' ? measured >= goal.number : measured <= goal.number;
}
