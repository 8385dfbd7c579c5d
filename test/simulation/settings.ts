import type { Hints } from './disk.ts';
import type { Latency, World } from './world.ts';

/** What kind of world a seed makes. */
export interface Settings {
  /** Milliseconds until faults end. */
  readonly duration: number;
  readonly events: number;
  readonly facts: number;
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
  /** Requests for documents. */
  readonly views: number;
  readonly answersBytes: number;
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
  const settings = {
    duration: pick([500, 3000, 10_000]),
    events: 1 + below(4),
    facts: 5 + below(20),
    readers: below(5),
    rebuilds: chance(0.4) ? 1 + below(3) : 0,
    crashes: chance(0.7) ? 1 + below(4) : 0,
    stops: chance(0.3) ? 1 + below(2) : 0,
    instances: chance(0.35) ? 2 : 1,
    versions: chance(0.25) ? 1 + below(2) : 0,
    errors: pick([0, 0, 0.02, 0.15]),
    latency: pick(LATENCIES),
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
    views: below(20),
    answersBytes: pick([4000, 1_000_000]),
    poison: chance(0.5),
  };
  return withConsequences(settings);
}

function withConsequences(settings: Omit<Settings, 'isPrompt'>): Settings {
  const { errors, instances, latency, hints, poison, versions } = settings;
  const isPrompt = errors === 0 && instances === 1 && latency.longest <= 10 && hints === HINTS[0];
  // Only a later version gets past the record.
  return { ...settings, isPrompt, poison: poison && versions > 0 };
}

/** Worlds of few steps, so that a crash can be tried at each. */
export const SMALL_WORLDS: Readonly<Record<string, Partial<Settings>>> = {
  'one instance': { rebuilds: 1 },
  'one instance, a store that fails': { rebuilds: 1, errors: 0.05 },
  'two instances': { instances: 2, rebuilds: 1 },
  'a new version': { versions: 1, stretchRecords: 100, pieceDocuments: 1, events: 4, facts: 14 },
  'documents before their checkpoint': { torn: true, rebuilds: 1 },
};

export const smallWorld =
  (name: string) =>
  (world: World): Settings =>
    withConsequences({
      ...settingsOf(world),
      duration: 500,
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
      torn: false,
      views: 5,
      poison: false,
      ...SMALL_WORLDS[name],
    });
