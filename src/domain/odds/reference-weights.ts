import type { NewRecord } from '../event-sourcing/record.ts';

/**
 * What the settled games of a sport taught about its bookmakers. Stream: `reference-weights`, in the order in which they
 * were learnt: of one sport by date. What was in force on a day stays as it was, whatever is corrected later.
 */
export interface ReferenceWeightsLearnt {
  readonly sport: string;
  /** The day from whose beginning (UTC) they are in force: YYYY-MM-DD. */
  readonly date: string;
  /** By bookmaker; one that is not named keeps the weight of the configuration. */
  readonly weights: Readonly<Record<string, number>>;
  /** How many games taught them. */
  readonly games: number;
  /** When they were learnt, ISO 8601. */
  readonly at: string;
}

export const REFERENCE_WEIGHTS_VERSIONS = { ReferenceWeightsLearnt: 1 } as const;

export const REFERENCE_WEIGHTS_STREAM = 'reference-weights';

export const createReferenceWeightsLearnt = (
  data: ReferenceWeightsLearnt,
): NewRecord<'ReferenceWeightsLearnt', ReferenceWeightsLearnt> => ({
  type: 'ReferenceWeightsLearnt',
  version: REFERENCE_WEIGHTS_VERSIONS.ReferenceWeightsLearnt,
  data,
  meta: { partition: REFERENCE_WEIGHTS_STREAM },
});
