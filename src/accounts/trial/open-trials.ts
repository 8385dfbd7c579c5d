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

const AT_ONCE = 100;

/** Repeats work that does so many at once, until there are fewer. @param work resolves to how many it has done */
async function untilFewer(work: () => Promise<number>): Promise<void> {
  while ((await work()) === AT_ONCE);
}

/** Keys for programs that have none: RFC 8628, and without a person where the operator allows it. */
export function openTrials(parts: TrialsParts): Trials {
  const { context, endWebhooks } = parts;
  const { now, transactShared } = context;
  const database = context.database as unknown as Kysely<TrialDatabase>;

  async function sweep(): Promise<void> {
    await untilFewer(() => transactShared([], () => sweepRequestsSteps(database, now())));
    // Before those that end: what somebody has paid for must keep its key and its webhooks.
    await untilFewer(async () => {
      const kept = await context.all(selectKeptAccounts(database, AT_ONCE));
      for (const { account_id: accountId } of kept) {
        await transactShared([], () => keepAccountSteps(database, accountId));
      }
      return kept.length;
    });
    await untilFewer(async () => {
      const ended = await context.all(selectEndedAccounts(database, now(), AT_ONCE));
      for (const { account_id: accountId } of ended) {
        await endWebhooks(accountId);
        await transactShared([], () => removeAccountSteps(database, accountId));
      }
      return ended.length;
    });
  }

  return { services: createTrialServices(parts), approvals: createTrialApprovals(parts), sweep };
}
