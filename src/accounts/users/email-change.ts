import { invalidField } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import {
  expiryTime,
  findUserBy,
  isEmailTaken,
  type PresentRow,
  removeUnverified,
  searchText,
  TAKEBACK_MS,
  upsertReset,
  VERIFICATION_MS,
} from './user-queries.ts';
import type { Client, EmailUndo, EmailUndone, Session, UserService } from './user-service.ts';
import { endSessions, isSessionAlive } from './user-sessions.ts';
import { rememberAddress } from './verify-user.ts';

/** Changes of address within the days in which an old address can be taken back. */
const MAX_CHANGES = 5;

/** Asks for another address. It counts when the link that is sent there is opened, while this session goes on. */
export function* askForEmailChange(
  context: UserContext,
  session: Session,
  user: PresentRow,
  email: string,
): QuerySteps<void> {
  const { database, now } = context;
  const former = yield* queryRows(selectTakebacks(context, user.id));
  if (former.length >= MAX_CHANGES) {
    throw invalidField('email', `Your address was changed ${MAX_CHANGES} times in 7 days. Change it again later.`);
  }
  yield* dropPendingEmailChange(context, user.id);
  const [change] = yield* queryRows(
    database
      .insertInto('email_changes')
      .values({ user_id: user.id, email, made_at: toIsoTime(now()), session_id: session.id })
      .returning('id'),
  );
  const changeId = change!.id;
  yield* addJob(context, { kind: 'new_address', changeId }, user.id);
  yield* addJob(context, { kind: 'email_changing', email: user.email, newEmail: email, changeId }, user.id);
}

/** Ends a change that was asked for and has not happened. Its links count no more. */
export function* dropPendingEmailChange({ database }: UserContext, userId: number): QuerySteps<void> {
  yield database.deleteFrom('email_changes').where('user_id', '=', userId);
}

/** Opens the link that was sent to a new address. False: it is unknown, expired, or has ended. */
export function* openEmailChange(context: UserContext, hash: string, client: Client): QuerySteps<boolean> {
  const { database, now } = context;
  const [found] = yield* queryRows(database.selectFrom('email_changes').selectAll().where('token_hash', '=', hash));
  if (!found || found.link_made_at === null || found.link_made_at <= expiryTime(context, VERIFICATION_MS)) return false;
  if (found.opened_at !== null) return true;
  if (found.session_id === null || !(yield* isSessionAlive(context, found.session_id))) return false;
  const { email } = found;
  const user = yield* findUserBy(context, 'id', found.user_id);
  if (!user || (yield* isEmailTaken(context, email, user.id))) return false;
  const at = toIsoTime(now());
  yield database.updateTable('email_changes').set({ opened_at: at }).where('id', '=', found.id);
  const former = (yield* queryRows(selectTakebacks(context, user.id))).find((one) => one.email === email);
  let takebackId: number | null = null;
  // Who goes back to an address that can be taken back takes it back: no address that came later may return.
  if (former) yield* endTakebacks(context, user.id, former.id);
  else {
    const [takeback] = yield* queryRows(
      database
        .insertInto('email_takebacks')
        .values({ user_id: user.id, email: user.email, changed_at: at, asked_token_hash: found.undo_token_hash })
        .returning('id'),
    );
    takebackId = takeback!.id;
  }
  yield* moveToAddress(context, user, email);
  yield* recordSecurityEvent(context, { type: 'email_changed', userId: user.id, client });
  yield* addJob(context, { kind: 'email_changed', email: user.email, newEmail: email, takebackId }, user.id);
  return true;
}

/** The addresses that can be taken back, the oldest first. */
export const selectTakebacks = (context: UserContext, userId: number) =>
  context.database
    .selectFrom('email_takebacks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('changed_at', '>', expiryTime(context, TAKEBACK_MS))
    .orderBy('id');

/** Ends this one and all that came after it. */
function* endTakebacks({ database }: UserContext, userId: number, id: number): QuerySteps<void> {
  yield database.deleteFrom('email_takebacks').where('user_id', '=', userId).where('id', '>=', id);
}

/** Gives the user and the account an address that its owner has just proved. */
function* moveToAddress(context: UserContext, user: PresentRow, email: string): QuerySteps<void> {
  const { database } = context;
  // This link proves the address. An unverified registration with it is removed.
  const unproven = yield* findUserBy(context, 'email', email);
  if (unproven && unproven.id !== user.id) yield* removeUnverified(context, unproven.id);
  yield database
    .updateTable('users')
    .set({ email, search_text: searchText(email, user.name) })
    .where('id', '=', user.id);
  yield database.updateTable('accounts').set({ email }).where('id', '=', user.account_id!);
  for (const one of [user.email, email]) yield* rememberAddress(context, one, user.account_id!);
  // The reset links were mailed to the address before.
  yield database.deleteFrom('password_resets').where('user_id', '=', user.id);
}

/** Stops or takes back a change of address, by the link that was mailed to the old address. */
export function createEmailUndo(
  context: UserContext,
  { jobs }: { readonly jobs: JobQueue },
): Pick<UserService, 'findEmailUndo' | 'undoEmailChange'> {
  const { database, digest } = context;

  const selectPending = (hash: string) =>
    database.selectFrom('email_changes').selectAll().where('undo_token_hash', '=', hash).where('opened_at', 'is', null);

  const selectTakeback = (hash: string) =>
    database
      .selectFrom('email_takebacks')
      .selectAll()
      .where(({ or, eb }) => or([eb('asked_token_hash', '=', hash), eb('changed_token_hash', '=', hash)]))
      .where('changed_at', '>', expiryTime(context, TAKEBACK_MS));

  function* find(hash: string): QuerySteps<EmailUndo | undefined> {
    const [pending] = yield* queryRows(selectPending(hash));
    if (pending) return { kind: 'pending', newEmail: pending.email };
    const [takeback] = yield* queryRows(selectTakeback(hash));
    const user = takeback && (yield* findUserBy(context, 'id', takeback.user_id));
    return user && takeback && { kind: 'changed', newEmail: user.email, oldEmail: takeback.email };
  }

  function* undo(hash: string, resetToken: string, client: Client): QuerySteps<EmailUndone> {
    const [pending] = yield* queryRows(selectPending(hash));
    if (pending) {
      const { user_id: userId, session_id: sessionId } = pending;
      yield* dropPendingEmailChange(context, userId);
      // Whoever asked in it is not whom the old address belongs to.
      if (sessionId !== null) yield database.deleteFrom('sessions').where('id', '=', sessionId);
      yield* recordSecurityEvent(context, { type: 'email_change_cancelled', userId, client });
      return { outcome: 'cancelled' };
    }
    const [takeback] = yield* queryRows(selectTakeback(hash));
    const user = takeback && (yield* findUserBy(context, 'id', takeback.user_id));
    if (!user) return { outcome: 'gone' };
    if (yield* isEmailTaken(context, takeback.email, user.id)) return { outcome: 'taken' };
    yield* endSessions(context, user.id);
    yield* dropPendingEmailChange(context, user.id);
    yield* endTakebacks(context, user.id, takeback.id);
    yield* moveToAddress(context, user, takeback.email);
    // Whoever changed the address knows the password.
    yield database.updateTable('users').set({ password_hash: null }).where('id', '=', user.id);
    yield upsertReset(context, user.id, resetToken);
    yield* recordSecurityEvent(context, { type: 'email_taken_back', userId: user.id, client });
    return { outcome: 'taken_back', resetToken };
  }

  return {
    findEmailUndo: (token) => context.read(() => find(digest('link', token))),
    async undoEmailChange(token, client) {
      const resetToken = context.newToken();
      const undone = await context.transactExclusive(() => undo(digest('link', token), resetToken, client));
      jobs.runSoon();
      return undone;
    },
  };
}
