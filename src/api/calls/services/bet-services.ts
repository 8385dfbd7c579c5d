import type { Leg } from '../../../domain/grading/leg.ts';
import type { Principal } from '../principal.ts';

/** Bets that an account may hold. */
export const MAX_BETS = 5000;

/** A bet of one’s own, with its names resolved once. */
export interface NewBet {
  readonly leg: Leg;
  /** Sport of its event: only a key that covers it sees the bet. */
  readonly sport: string;
  /** American odds. */
  readonly price: number;
  /** The decimal odds that were taken, where they were given so: `price` is them rounded. Null: `price` says it all. */
  readonly decimal: number | null;
  /** In the account's own unit. */
  readonly stake: number;
  /** Where it was placed. */
  readonly book: string;
  /** Milliseconds. */
  readonly placedAt: number;
}

export interface OwnBet extends NewBet {
  readonly id: number;
  /** When it was added, in milliseconds. */
  readonly createdAt: number;
}

/** Which bets are read: newest first, by id. */
export interface BetQuery {
  /** Only smaller ids. */
  readonly afterId?: number | undefined;
  /** Placed at or after it, in milliseconds. */
  readonly from?: number | undefined;
  /** Placed before it, in milliseconds. */
  readonly to?: number | undefined;
  readonly limit: number;
}

/** An account's own bets. A key sees and deletes only those of its sports. */
export interface BetServices {
  /**
   * All of them, or none.
   * @param run id of the run: what the same run added before is answered again
   * @returns their ids, in order
   * @throws ApiError forbidden for more than an account may hold, and without an account
   */
  add(principal: Principal, bets: readonly NewBet[], run?: string): Promise<readonly number[]>;
  /** @throws ApiError bad_request for an `afterId` that was never given */
  list(principal: Principal, query: BetQuery): Promise<readonly OwnBet[]>;
  /** @throws ApiError not_found */
  remove(principal: Principal, id: number): Promise<void>;
}
