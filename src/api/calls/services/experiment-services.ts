import type {
  ExperimentClosed,
  ExperimentDefinition,
  ExperimentVerdict,
} from '../../../domain/experiments/experiment-events.ts';
import type { Principal } from '../principal.ts';

/** Experiments that an account may keep. None is ever deleted: an account that could drop the bad ones would prove nothing. */
export const MAX_EXPERIMENTS = 200;
/** Those that are not closed. */
export const MAX_OPEN_EXPERIMENTS = 20;

export type ExperimentState = 'open' | 'ended' | 'closed';

/** An experiment, without what came of it. Times are ISO 8601. */
export interface ListedExperiment extends ExperimentDefinition {
  readonly id: string;
  readonly hash: string;
  readonly postedAt: string;
  /** `ended`: its account has ended it; it is closed within minutes. */
  readonly state: ExperimentState;
  readonly verdict: ExperimentVerdict | null;
}

export interface Experiment extends ListedExperiment {
  /** Null: it was not ended early. */
  readonly endedAt: string | null;
  readonly closed: ExperimentClosed | null;
  /** Its leaf in the day's seal; null where there is none, or its salt is gone. */
  readonly seal: { readonly salt: string; readonly leaf: string } | null;
}

export interface NewExperiment {
  readonly definition: ExperimentDefinition;
  /** Sports whose selections it may show; null: all. */
  readonly sports: readonly string[] | null;
}

/** Experiments in the log: the port behind `/v1/experiments`. A key sees those whose sports it covers. */
export interface ExperimentServices {
  /**
   * It is on disk when this resolves.
   * @param run id of the run: what the same run posted before is answered again
   * @throws ApiError forbidden beyond the bounds, and without an account
   */
  post(
    principal: Principal,
    experiment: NewExperiment,
    run?: string,
  ): Promise<{ readonly id: string; readonly hash: string }>;
  /** Those of the account, the newest first. */
  list(principal: Principal): Promise<readonly ListedExperiment[]>;
  /** @throws ApiError not_found */
  read(principal: Principal, id: string): Promise<Experiment>;
  /** Ends it now. One that has ended or is closed stays as it is. @throws ApiError not_found */
  end(principal: Principal, id: string): Promise<Experiment>;
}
