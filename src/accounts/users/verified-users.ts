import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { DEFAULT_PLAN } from '../keys/key-registry.ts';
import { type PeopleContext, timeText } from './people-context.ts';
import type { PresentRow } from './user-rows.ts';

const GROWTH = '/billing?plan=growth';

/** `free` unless it is one that can be asked for. */
export const askedPlan = (plan: string): string => (plan === 'payg' || plan === 'growth' ? plan : DEFAULT_PLAN);

/** What a user begins with once the address is known to be his. */
export interface Beginning {
  /** `payg` begins at once; `growth` is paid first. An account that is taken over keeps its own. */
  readonly plan: string;
  /** Null: signs in otherwise. */
  readonly passwordHash: string | null;
  readonly githubId?: string;
}

/**
 * Makes the user a verified one, with the account of his address, or a new one. Registrations of the address die, but for
 * `kept`.
 * @returns id of the account
 */
export function* verifyUser(
  context: PeopleContext,
  user: Pick<PresentRow, 'id' | 'email' | 'suspended_at'>,
  { plan, passwordHash, githubId }: Beginning,
  kept?: number,
): Steps<number> {
  const { database, now } = context;
  const at = timeText(now());
  const account = yield* accountOf(context, user.email, plan === 'payg' ? plan : DEFAULT_PLAN);
  if (user.suspended_at !== null) {
    yield database.updateTable('accounts').set({ suspended_at: user.suspended_at }).where('id', '=', account.id);
  }
  yield database
    .deleteFrom('registrations')
    .where('user_id', '=', user.id)
    .$if(kept !== undefined, (query) => query.where('id', '<>', kept!));
  yield database
    .updateTable('users')
    .set({
      ...{ account_id: account.id, verified_at: at, password_hash: passwordHash },
      ...{ leads_to: plan === 'growth' && account.plan !== 'growth' ? GROWTH : null },
      ...(githubId !== undefined && { github_id: githubId }),
    })
    .where('id', '=', user.id);
  return account.id;
}

/** The one that a command has made for the address, or a new one. */
function* accountOf(
  context: PeopleContext,
  email: string,
  plan: string,
): Steps<{ readonly id: number; readonly plan: string }> {
  const { database, now } = context;
  const values = { email, plan, created_at: timeText(now()) };
  const [made] = yield* rowsOf(
    database
      .insertInto('accounts')
      .values({ ...values, granted_credits: null, granted_at: null, suspended_at: null })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id'),
  );
  const isFirst = yield* rememberAddress(context, email);
  if (!made) {
    const [found] = yield* rowsOf(database.selectFrom('accounts').select(['id', 'plan']).where('email', '=', email));
    return found!;
  }
  if (!isFirst) yield database.updateTable('accounts').set({ free_grant_used: 1 }).where('id', '=', made.id);
  return { id: made.id, plan };
}

/** For ever: the free grant is once for an address. @returns whether it was unknown */
export function* rememberAddress({ database, digest, now }: PeopleContext, email: string): Steps<boolean> {
  const [first] = yield* rowsOf(
    database
      .insertInto('granted_addresses')
      .values({ address: digest('address', email), at: timeText(now()) })
      .onConflict((conflict) => conflict.column('address').doNothing())
      .returning('address'),
  );
  return first !== undefined;
}
