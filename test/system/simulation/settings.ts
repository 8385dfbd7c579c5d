import type { Hints } from './disk.ts';
import type { Latency, World } from './world.ts';

/** What kind of world a seed makes. */
export interface Settings {
  /** Milliseconds until faults end. */
  readonly duration: number;
  readonly events: number;
  readonly facts: number;
  /** Milliseconds within which they are told first. */
  readonly telling: number;
  readonly readers: number;
  readonly rebuilds: number;
  readonly crashes: number;
  readonly stops: number;
  /** Instances that may run at once. */
  readonly instances: number;
  /** New versions of the code that come while it runs. */
  readonly versions: number;
  /** Share of the calls that fail. */
  readonly errors: number;
  readonly latency: Latency;
  /** Share of their time after which polls and retries come. */
  readonly haste: number;
  readonly hints: Hints;
  readonly batchSize: number;
  readonly bufferLimit: number;
  readonly stretchRecords: number;
  readonly pieceDocuments: number;
  readonly cacheDocuments: number;
  readonly groupRecords: number;
  readonly intakes: number;
  readonly torn: boolean;
  readonly readsOwn: number;
  /** Subscribers that come while it runs. */
  readonly tails: number;
  /** Requests for documents. */
  readonly views: number;
  readonly answersBytes: number;
  /** Every commit is announced at once to all there are. */
  readonly isPrompt: boolean;
  /** The first version of one projection meets a record that it cannot fold. */
  readonly poison: boolean;
}

const LATENCIES: readonly Latency[] = [
  { usual: 0, longest: 0 },
  { usual: 3, longest: 10 },
  { usual: 3, longest: 400 },
  { usual: 100, longest: 3000 },
];

const HINTS: readonly Hints[] = [
  { now: 1, late: 0, twice: 0, never: 0, part: 0 },
  { now: 3, late: 2, twice: 1, never: 1, part: 1 },
  { now: 0, late: 1, twice: 1, never: 0, part: 1 },
  { now: 0, late: 0, twice: 0, never: 1, part: 0 },
];

export function settingsOf({ random }: World): Settings {
  const { below, pick, chance } = random;
  const duration = pick([300, 1500, 5000]);
  const settings = {
    duration,
    telling: chance(0.3) ? 60 : duration,
    events: 1 + below(4),
    facts: 5 + below(20),
    readers: below(6),
    rebuilds: chance(0.4) ? 1 + below(3) : 0,
    crashes: chance(0.7) ? 1 + below(4) : 0,
    stops: chance(0.3) ? 1 + below(2) : 0,
    instances: chance(0.35) ? 2 : 1,
    versions: chance(0.3) ? 1 + below(2) : 0,
    errors: pick([0, 0, 0.05, 0.15]),
    latency: pick(LATENCIES),
    haste: duration > 2000 ? 1 : pick([1, 0.1, 0.1]),
    hints: pick(HINTS),
    batchSize: 1 + below(6),
    bufferLimit: 1 + below(8),
    stretchRecords: pick([3, 10, 100]),
    pieceDocuments: pick([1, 2, 100]),
    cacheDocuments: pick([1, 2, 100]),
    groupRecords: pick([1, 3, 100]),
    intakes: 1 + below(2),
    torn: chance(0.2),
    readsOwn: 0.5,
    tails: below(4),
    views: below(20),
    answersBytes: pick([4000, 40_000]),
    poison: chance(0.7),
  };
  return withConsequences(settings);
}

function withConsequences(settings: Omit<Settings, 'isPrompt'>): Settings {
  const { instances, hints, poison, versions } = settings;
  const isPrompt = instances === 1 && hints === HINTS[0];
  // Only a later version gets past the record.
  return { ...settings, isPrompt, poison: poison && versions > 0 };
}

const FILLS_BY_PIECES = { batchSize: 4, stretchRecords: 100, pieceDocuments: 1 };

/** Worlds of few steps, so that a crash can be tried at each. */
export const SMALL_WORLDS: Readonly<Record<string, Partial<Settings>>> = {
  // All is told before the new version comes, so that it has a build to fill, piece by piece.
  'a new version': { versions: 1, telling: 50, events: 4, facts: 14, readers: 0, ...FILLS_BY_PIECES },
  'one instance': { rebuilds: 1 },
  'one instance, a store that fails': { rebuilds: 1, errors: 0.05 },
  'two instances': { instances: 2, rebuilds: 1 },
  'documents before their checkpoint': { torn: true, rebuilds: 1 },
};

export const smallWorld =
  (name: string) =>
  (world: World): Settings =>
    withConsequences({
      ...settingsOf(world),
      duration: 500,
      telling: 500,
      events: 2,
      facts: 8,
      readers: 2,
      rebuilds: 0,
      crashes: 0,
      stops: 0,
      instances: 1,
      versions: 0,
      errors: 0,
      latency: LATENCIES[1]!,
      haste: 1,
      torn: false,
      tails: 1,
      views: 5,
      poison: false,
      ...SMALL_WORLDS[name],
    });
