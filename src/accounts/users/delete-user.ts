import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { addJob } from './job-queue.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { type PresentRow, removeUnverified } from './user-queries.ts';
import type { Client } from './user-service.ts';
import { endSessions } from './user-sessions.ts';
import { rememberAddress } from './verify-user.ts';

/**
 * Erases personal data. Sessions end, and the account's keys are refused from here on. Jobs end the rest of the
 * account, and erase where its user came from. The ledger stays; it names no person.
 * @param by the staff member who deletes the user; absent: the user
 */
export function* deleteUserSteps(
  context: UserContext,
  user: PresentRow,
  by?: { readonly userId: number; readonly client: Client },
): QuerySteps<void> {
  const { database, now } = context;
  const at = toIsoTime(now());
  yield* endSessions(context, user.id);
  const [newest] = yield* queryRows(
    database.selectFrom('security_events').select('id').where('user_id', '=', user.id).orderBy('id', 'desc').limit(1),
  );
  // There may be many, so a job erases them in batches.
  if (newest) yield* addJob(context, { kind: 'erase_clients', userId: user.id, upTo: newest.id }, null);
  yield* recordSecurityEvent(context, {
    type: 'account_deleted',
    userId: user.id,
    byUserId: by?.userId,
    client: by?.client,
  });
  if (user.account_id === null) {
    yield* removeUnverified(context, user.id);
    return;
  }
  yield* rememberAddress(context, user.email, user.account_id);
  for (const table of [
    'registrations',
    'password_resets',
    'email_changes',
    'email_takebacks',
    'background_jobs',
  ] as const) {
    yield database.deleteFrom(table).where('user_id', '=', user.id);
  }
  yield database
    .updateTable('users')
    .set({
      email: null,
      name: null,
      timezone: 'UTC',
      password_hash: null,
      github_id: null,
      github_linked_at: null,
      search_text: null,
      is_staff: 0,
      role: 'support',
      leads_to: null,
      deleted_at: at,
    })
    .where('id', '=', user.id);
  // This also refuses a key that is being made at this moment.
  yield database.updateTable('accounts').set({ email: null, suspended_at: at }).where('id', '=', user.account_id);
  yield* addJob(context, { kind: 'end_account', accountId: user.account_id }, null);
}
