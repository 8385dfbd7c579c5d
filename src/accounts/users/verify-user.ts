import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { DEFAULT_PLAN } from '../keys/key-registry.ts';
import type { UserContext } from './user-context.ts';
import type { PresentRow } from './user-queries.ts';

const GROWTH_CHECKOUT = '/billing?plan=growth';

/** `free`, unless the plan may be requested. */
export const requestablePlan = (plan: string): string => (plan === 'payg' || plan === 'growth' ? plan : DEFAULT_PLAN);

/** How a newly verified user starts. */
interface VerifiedUserStart {
  /** `payg` starts at once; `growth` must be paid first. An existing account keeps its plan. */
  readonly plan: string;
  /** Null: no password. */
  readonly passwordHash: string | null;
  readonly githubId?: string;
}

/**
 * Verifies the user, with the existing account of the address or a new one. Deletes the user's registrations, except
 * `kept`.
 * @returns the account's id
 */
export function* verifyUser(
  context: UserContext,
  user: Pick<PresentRow, 'id' | 'email' | 'suspended_at'>,
  { plan, passwordHash, githubId }: VerifiedUserStart,
  keptRegistrationId?: number,
): QuerySteps<number> {
  const { database, now } = context;
  const at = toIsoTime(now());
  const account = yield* findOrCreateAccount(context, user.email, plan === 'payg' ? plan : DEFAULT_PLAN);
  if (user.suspended_at !== null) {
    yield database.updateTable('accounts').set({ suspended_at: user.suspended_at }).where('id', '=', account.id);
  }
  yield database
    .deleteFrom('registrations')
    .where('user_id', '=', user.id)
    .$if(keptRegistrationId !== undefined, (query) => query.where('id', '<>', keptRegistrationId!));
  yield database
    .updateTable('users')
    .set({
      account_id: account.id,
      verified_at: at,
      password_hash: passwordHash,
      leads_to: plan === 'growth' && account.plan !== 'growth' ? GROWTH_CHECKOUT : null,
      ...(githubId !== undefined && { github_id: githubId, github_linked_at: at }),
    })
    .where('id', '=', user.id);
  return account.id;
}

/** The account that a command has made for the address, or a new one. */
function* findOrCreateAccount(
  context: UserContext,
  email: string,
  plan: string,
): QuerySteps<{ readonly id: number; readonly plan: string }> {
  const { database, now } = context;
  const values = { email, plan, created_at: toIsoTime(now()) };
  const [inserted] = yield* queryRows(
    database
      .insertInto('accounts')
      .values({ ...values, granted_credits: null, granted_at: null, suspended_at: null })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id'),
  );
  if (!inserted) {
    const [found] = yield* queryRows(database.selectFrom('accounts').select(['id', 'plan']).where('email', '=', email));
    yield* rememberAddress(context, email, found!.id);
    return found!;
  }
  const isFirst = yield* rememberAddress(context, email, inserted.id);
  if (!isFirst) yield database.updateTable('accounts').set({ free_grant_used: 1 }).where('id', '=', inserted.id);
  return { id: inserted.id, plan };
}

/**
 * Remembers the address and its account forever: the free grant, rewards and coupons are given once for an address.
 * @returns whether the address was unknown
 */
export function* rememberAddress(
  { database, digest, now }: UserContext,
  email: string,
  accountId: number,
): QuerySteps<boolean> {
  const address = digest('address', email);
  const [first] = yield* queryRows(
    database
      .insertInto('granted_addresses')
      .values({ address, at: toIsoTime(now()) })
      .onConflict((conflict) => conflict.column('address').doNothing())
      .returning('address'),
  );
  yield database
    .insertInto('address_accounts')
    .values({ address, account_id: accountId })
    .onConflict((conflict) => conflict.columns(['address', 'account_id']).doNothing());
  return first !== undefined;
}
