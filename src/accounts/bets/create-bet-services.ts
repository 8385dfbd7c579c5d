import { ApiError, badRequest, notFound } from '../../api/calls/api-errors.ts';
import type { Principal } from '../../api/calls/principal.ts';
import { grantedSports, isLimitedToSports } from '../../api/calls/scopes.ts';
import { type BetServices, MAX_BETS } from '../../api/calls/services/bet-services.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { BetStore } from './bet-store.ts';

interface BetServicesParts {
  readonly store: BetStore;
  readonly gate: WriteGate;
  /** Milliseconds. */
  readonly now: () => number;
}

export function createBetServices({ store, gate, now }: BetServicesParts): BetServices {
  const sportsOf = (principal: Principal): readonly string[] | undefined =>
    isLimitedToSports(principal) ? grantedSports(principal) : undefined;

  return {
    async add({ account, accountId }, bets, run) {
      if (!account) throw new ApiError('forbidden', 'The key of the operator has no account to hold bets.');
      gate.assertOpen();
      const ids = await store.add({ accountId, bets, createdAt: now(), run: run ?? null }, MAX_BETS);
      if (!ids) throw new ApiError('forbidden', `An account may hold ${MAX_BETS} bets. Delete some first.`);
      return ids;
    },
    async list(principal, query) {
      const { afterId } = query;
      // Paging goes on after a deleted bet, and a bet of another account is never told from one that is gone.
      if (afterId !== undefined && (afterId < 1 || afterId > (await store.lastId()))) {
        throw badRequest(`after_id: there is no bet ${afterId}`);
      }
      if (!principal.account) return [];
      return store.list(principal.accountId, { ...query, sports: sportsOf(principal) });
    },
    async remove(principal, id) {
      gate.assertOpen();
      const isRemoved = principal.account && (await store.remove(id, principal.accountId, sportsOf(principal)));
      if (!isRemoved) throw notFound(`There is no bet ${id}.`);
    },
  };
}
