import type { LogRecord, NewRecord } from '../event-sourcing/record.ts';

/** What the poster of an experiment said: free JSON, but the times. Its hash is the hash of this. */
export interface ExperimentDefinition {
  readonly name: unknown;
  readonly policy: unknown;
  readonly cohort: unknown;
  /** ISO 8601, as it was written. */
  readonly from: string;
  readonly to: string;
  readonly gates: unknown;
  readonly seed: unknown;
}

/**
 * An experiment was posted, before its first event. Stream: `experiments-ACCOUNTID`, one record an experiment and nothing
 * else, so the number of an account's experiments is the length of its stream.
 */
export interface ExperimentPosted {
  readonly id: string;
  readonly accountId: number;
  /** ISO 8601. */
  readonly at: string;
  readonly definition: ExperimentDefinition;
  /** Its `hashOfExperiment`. */
  readonly hash: string;
  /** Sports whose selections it may show; null: all. Only a key that covers them reads it. */
  readonly sports: readonly string[] | null;
  /** The run that posted it: a repeated run gets the same experiment. Null: the call had no idempotency key. */
  readonly run: string | null;
  /**
   * The hash of its leaf in the day's seal. Its salt follows from a key that is deleted with the account; see
   * `SlipGraded`. Null: it is not sealed.
   */
  readonly leaf: string | null;
}

/** Its account has ended it early. Stream: `experiment-ID`. */
export interface ExperimentEnded {
  readonly id: string;
  readonly accountId: number;
  readonly at: string;
  /** See `SALT_TEXT`. */
  readonly salt: string;
}

export type ExperimentVerdict = 'pass' | 'fail' | 'inconclusive';

/** A published selection of the cohort that was settled. */
export interface CountedSelection {
  readonly event_id: number;
  readonly sport: string;
  readonly league: string;
  readonly market: string;
  readonly bet_type: string;
  /** Signed for the bet's side; null for a moneyline. */
  readonly line: number | null;
  readonly tier: string | null;
  /** When the server recorded it, ISO 8601. */
  readonly selected_at: string;
  readonly probability: number;
  readonly fair_probability: number;
  /** The best price then, American odds. */
  readonly book: string;
  readonly price: number;
  readonly result: 'won' | 'lost';
  /** Of a stake of 1 at that price. */
  readonly profit: number;
  /** The fair closing probability on the same line; null: see `no_clv`. */
  readonly close: number | null;
  /** `close / fair_probability - 1`. */
  readonly clv: number | null;
  /** Why the closing line value is unknown; null: it is known. */
  readonly no_clv: 'no_closing_price' | 'line_moved' | null;
}

/** Why a selection of the cohort does not count. */
export const EXCLUSION_REASONS = ['cancelled', 'postponed', 'not_settled', 'push', 'no_price'] as const;

export interface ExcludedSelection {
  readonly event_id: number;
  readonly bet_type: string;
  readonly selected_at: string;
  readonly reason: (typeof EXCLUSION_REASONS)[number];
}

/** Means of a set of bets of 1 unit, each with its standard error; null where there are too few. */
export interface ExperimentMeasures {
  readonly n: number;
  /** Those that have a closing line value. */
  readonly n_clv: number;
  readonly clv: number | null;
  readonly clv_se: number | null;
  readonly hit_rate: number | null;
  readonly hit_rate_se: number | null;
  readonly profit: number | null;
  readonly profit_se: number | null;
  /** The deepest fall of the sum of profits below an earlier height, in units. */
  readonly drawdown: number;
}

/** How one gate came out. */
export interface GateOutcome {
  readonly gate: string;
  readonly limit: number;
  readonly measured: number | null;
  readonly verdict: ExperimentVerdict;
}

export interface ExperimentResult {
  readonly verdict: ExperimentVerdict;
  /** Why it is inconclusive; empty otherwise. */
  readonly reasons: readonly string[];
  readonly measures: ExperimentMeasures;
  readonly gates: readonly GateOutcome[];
  readonly selections: readonly CountedSelection[];
  readonly exclusions: readonly ExcludedSelection[];
  /** Selections of the cohort beyond the most that are kept. */
  readonly left_out: number;
}

/** It is closed, once and for all. Stream: `experiment-ID`, its last record. Says nothing of its account. */
export interface ExperimentClosed extends ExperimentResult {
  readonly id: string;
  readonly accountId: number;
  readonly at: string;
  /** The `hash` of what was posted, so that the result says by itself what it is of. Absent in earlier records. */
  readonly definition_hash?: string;
  /** Selections from `from` on and before this count: `to`, or when it was ended. */
  readonly until: string;
  readonly salt: string;
}

export type ExperimentRecord =
  | LogRecord<'ExperimentPosted', ExperimentPosted>
  | LogRecord<'ExperimentEnded', ExperimentEnded>
  | LogRecord<'ExperimentClosed', ExperimentClosed>;

export const EXPERIMENT_VERSIONS = { ExperimentPosted: 1, ExperimentEnded: 1, ExperimentClosed: 1 } as const;

/** What an account has posted. */
export const experimentsStream = (accountId: number): string => `experiments-${accountId}`;
/** What became of one experiment. */
export const experimentStream = (id: string): string => `experiment-${id}`;

type DataOf = {
  readonly ExperimentPosted: ExperimentPosted;
  readonly ExperimentEnded: ExperimentEnded;
  readonly ExperimentClosed: ExperimentClosed;
};

export const createExperimentEvent = <T extends keyof DataOf>(type: T, data: DataOf[T]): NewRecord<T, DataOf[T]> => ({
  type,
  version: EXPERIMENT_VERSIONS[type],
  data,
  meta: { partition: `account-${data.accountId}` },
});
