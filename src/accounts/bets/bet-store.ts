import type { BetQuery, NewBet, OwnBet } from '../../api/calls/services/bet-services.ts';

interface StoredBets {
  readonly accountId: number;
  readonly bets: readonly NewBet[];
  /** Milliseconds. */
  readonly createdAt: number;
  /** Id of the run that adds them. */
  readonly run: string | null;
}

export interface StoredBetQuery extends BetQuery {
  /** Only bets of these sports; undefined: of all. */
  readonly sports?: readonly string[] | undefined;
}

/** The bets of accounts. Several processes may use it at once. */
export interface BetStore {
  /**
   * Adds all, or none. What the same run of the account added before is answered again.
   * @param most how many an account may hold
   * @returns the ids in order; undefined if the account would hold more
   */
  add(added: StoredBets, most: number): Promise<readonly number[] | undefined>;
  /** By id, newest first. */
  list(accountId: number, query: StoredBetQuery): Promise<readonly OwnBet[]>;
  /** The newest id that was ever given, to whomever, also of a bet that is gone; 0: none was. */
  lastId(): Promise<number>;
  /** False: the account has no such bet of these sports. @param sports undefined: of all */
  remove(id: number, accountId: number, sports?: readonly string[]): Promise<boolean>;
  /** Removes all bets of an account. */
  removeAll(accountId: number): Promise<void>;
}
