import type { PeopleContextParts } from './people-context.ts';

/** Tells whether staff has suspended an account, or its user is gone: nothing is done for it then. */
export const suspendedAccounts =
  ({ database, runner }: Pick<PeopleContextParts, 'database' | 'runner'>) =>
  async (accountId: number): Promise<boolean> => {
    const [account] = await runner.all(
      database.selectFrom('accounts').select('suspended_at').where('id', '=', accountId),
    );
    return account !== undefined && account.suspended_at !== null;
  };
