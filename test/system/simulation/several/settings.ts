import type { Latency, World } from '../world.ts';
import type { Hints } from './way.ts';

/** What kind of world a seed makes. */
export interface Settings {
  /** Milliseconds until faults end. */
  readonly duration: number;
  /** Milliseconds within which everything is told and asked for first. */
  readonly telling: number;
  readonly games: number;
  readonly messages: number;
  /** Calls that cost credits. */
  readonly calls: number;
  readonly subscriptions: number;
  readonly crashes: number;
  /** Share of the calls of ports that fail. */
  readonly lost: number;
  readonly posthumous: number;
  readonly latency: Latency;
  readonly hints: Hints;
  readonly batchSize: number;
  readonly cacheDocuments: number;
  readonly torn: boolean;
}

const LATENCIES: readonly Latency[] = [
  { usual: 0, longest: 0 },
  { usual: 3, longest: 30 },
  { usual: 3, longest: 400 },
  { usual: 60, longest: 600 },
];

const HINTS: readonly Hints[] = [
  { never: 0, late: 0 },
  { never: 0.1, late: 0.3 },
  { never: 0, late: 1 },
  { never: 1, late: 0 },
];

export function settingsOf({ random }: World): Settings {
  const { below, pick, chance } = random;
  const duration = pick([300, 1500, 4000]);
  return {
    duration,
    telling: chance(0.4) ? 60 : duration,
    games: 1 + below(3),
    messages: 10 + below(15),
    calls: 6 + below(12),
    subscriptions: below(3),
    crashes: chance(0.7) ? 1 + below(5) : 0,
    lost: pick([0, 0, 0.03, 0.1]),
    posthumous: pick([0, 0.5]),
    latency: pick(LATENCIES),
    hints: pick(HINTS),
    batchSize: 1 + below(6),
    cacheDocuments: pick([1, 10]),
    torn: chance(0.3),
  };
}
