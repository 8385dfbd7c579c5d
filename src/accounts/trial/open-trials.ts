import type { Kysely } from 'kysely';
import type { TrialServices } from '../../api/calls/services/trial-services.ts';
import { keepAccountSteps, removeAccountSteps, selectEndedAccounts, selectKeptAccounts } from './anonymous-trials.ts';
import { createTrialApprovals, type TrialApprovals } from './create-trial-approvals.ts';
import { createTrialServices } from './create-trial-services.ts';
import type { TrialsParts } from './trial-parts.ts';
import { sweepRequestsSteps } from './trial-requests.ts';
import type { TrialDatabase } from './trial-tables.ts';

export interface Trials {
  readonly services: TrialServices;
  readonly approvals: TrialApprovals;
  /** Ends what has expired. Call it each minute. */
  sweep(): Promise<void>;
}

const ENDED_AT_ONCE = 100;

/** Keys for programs that have none: RFC 8628, and without a person where the operator allows it. */
export function openTrials(parts: TrialsParts): Trials {
  const { context, endWebhooks } = parts;
  const { now, transactShared } = context;
  const database = context.database as unknown as Kysely<TrialDatabase>;

  async function sweep(): Promise<void> {
    for (let removed = ENDED_AT_ONCE; removed === ENDED_AT_ONCE; ) {
      removed = await transactShared([], () => sweepRequestsSteps(database, now()));
    }
    // Before those that end: what somebody has paid for must keep its key and its webhooks.
    for (let kept = ENDED_AT_ONCE; kept === ENDED_AT_ONCE; ) {
      const some = await context.all(selectKeptAccounts(database, ENDED_AT_ONCE));
      for (const { account_id: accountId } of some) {
        await transactShared([], () => keepAccountSteps(database, accountId));
      }
      kept = some.length;
    }
    for (let ended = ENDED_AT_ONCE; ended === ENDED_AT_ONCE; ) {
      const some = await context.all(selectEndedAccounts(database, now(), ENDED_AT_ONCE));
      for (const { account_id: accountId } of some) {
        await endWebhooks(accountId);
        await transactShared([], () => removeAccountSteps(database, accountId));
      }
      ended = some.length;
    }
  }

  return { services: createTrialServices(parts), approvals: createTrialApprovals(parts), sweep };
}
