import type { BoundLeg } from '../../../text/slips/leg.ts';
import { isSettled } from '../../../text/slips/settled.ts';
import { gradeLegs } from './grade-legs.ts';
import type { SlipReading } from './slip-reading.ts';
import type { GradedLeg } from './slip-schemas.ts';

/** What has become of legs that were settled. */
export interface Superseded {
  /** When the newest entry that changed one of them was recorded. */
  readonly recorded_at: string;
  readonly legs: readonly {
    /** From 0. */
    readonly leg: number;
    readonly from: GradedLeg['result'];
    readonly to: GradedLeg['result'];
    /** The entries that changed it. */
    readonly facts: GradedLeg['facts'];
  }[];
}

/**
 * What a slip that was graded comes to now; null where every leg that was settled still has its result.
 * @param bound its legs with their names resolved: what they meant then, they mean for ever
 */
export async function supersededBy(
  graded: readonly GradedLeg[],
  bound: readonly BoundLeg[],
  reading: SlipReading,
): Promise<Superseded | null> {
  const { legs: present, grounds } = await gradeLegs(bound, reading, true);
  const legs = graded.flatMap(({ result: from, facts: rested }, leg) => {
    const { result: to } = present[leg]!;
    if (!isSettled(from) || to === from) return [];
    const known = new Set(rested.map(({ position }) => position));
    const changed = grounds[leg]!.filter(({ position }) => !known.has(position));
    return changed.length > 0 ? [{ leg, from, to, facts: changed }] : [];
  });
  if (legs.length === 0) return null;
  const times = legs.flatMap(({ facts }) => facts.map(({ recorded_at }) => recorded_at));
  return { recorded_at: times.sort().at(-1)!, legs };
}
