import type { Kysely, SelectQueryBuilder } from 'kysely';
import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { queryRows } from '../../platform/sql/query-runner.ts';
import { ANONYMOUS_TRIAL_KIND } from './attempt-limits.ts';
import { inBatches, ROWS_AT_ONCE } from './change-in-batches.ts';
import type { UserContext } from './user-context.ts';
import { RESET_MS, removeUnverified, TAKEBACK_MS, VERIFICATION_MS } from './user-queries.ts';
import { excessSessions, MAX_SESSIONS, REMEMBERED_SESSION_MS, SESSION_IDLE_MS } from './user-sessions.ts';

/** How long IPs and user agents stay in the security log. */
const CLIENT_KEPT_MS = 90 * DAY;
/** No attempt counts longer than this, but those that count for a day. */
const ATTEMPT_KEPT_MS = HOUR;
/** How long an unverified registration is kept. */
const UNVERIFIED_KEPT_MS = 30 * DAY;
/** How long events of `info` and `warning` are kept; their number has bounds of its own. */
const EVENT_KEPT_MS = 400 * DAY;
const REMOVED_PER_BATCH = 100;

/** Erases data that is too old to be of use. @param at milliseconds */
export async function pruneUsers(context: UserContext, at: number): Promise<void> {
  const { database } = context;
  const before = (milliseconds: number): string => toIsoTime(at - milliseconds);
  const events = database.selectFrom('security_events').select('id').limit(ROWS_AT_ONCE);
  await inBatches(context, () =>
    database
      .updateTable('security_events')
      .set({ ip: null, user_agent: null })
      .where(
        'id',
        'in',
        events
          .where('at', '<=', before(CLIENT_KEPT_MS))
          .where(({ or, eb }) => or([eb('ip', 'is not', null), eb('user_agent', 'is not', null)])),
      )
      .returning('id'),
  );
  const outdated = {
    security_events: events.where('at', '<=', before(EVENT_KEPT_MS)).where('severity', 'in', ['info', 'warning']),
    attempts: database
      .selectFrom('attempts')
      .select('id')
      .where('at', '<=', at - ATTEMPT_KEPT_MS)
      .where(({ or, eb }) => or([eb('kind', '<>', ANONYMOUS_TRIAL_KIND), eb('at', '<=', at - DAY)])),
    sessions: database
      .selectFrom('sessions')
      .select('id')
      .where(({ or, and, eb }) =>
        or([
          and([eb('is_remembered', '=', 0), eb('last_used_at', '<=', before(SESSION_IDLE_MS + HOUR))]),
          and([eb('is_remembered', '=', 1), eb('created_at', '<=', before(REMEMBERED_SESSION_MS))]),
        ]),
      ),
    password_resets: database.selectFrom('password_resets').select('user_id').where('made_at', '<=', before(RESET_MS)),
    email_changes: database
      .selectFrom('email_changes')
      .select('id')
      .where('made_at', '<=', before(VERIFICATION_MS + HOUR)),
    email_takebacks: database.selectFrom('email_takebacks').select('id').where('changed_at', '<=', before(TAKEBACK_MS)),
    // Unopened registrations are kept longer: the newest link can be mailed again.
    registrations: database.selectFrom('registrations').select('id').where('opened_at', '<=', before(VERIFICATION_MS)),
  };
  // A user has one reset at most, which has no id of its own.
  const keyOf = (table: string): string => (table === 'password_resets' ? 'user_id' : 'id');
  for (const [table, rows] of Object.entries<SelectQueryBuilder<any, any, object>>(outdated)) {
    const key = keyOf(table);
    await inBatches(context, () =>
      (database as Kysely<any>).deleteFrom(table).where(key, 'in', rows.limit(ROWS_AT_ONCE)).returning(key),
    );
  }
  while ((await removeStaleUnverified(context, at)) === REMOVED_PER_BATCH) await yieldToEventLoop();
  await endExcessSessions(context);
}

/** Folders of earlier versions may hold any number of sessions of a user. */
async function endExcessSessions(context: UserContext): Promise<void> {
  const { all, database, transactShared } = context;
  const users = await all(
    database
      .selectFrom('sessions')
      .select('user_id')
      .groupBy('user_id')
      .having(({ fn }) => fn.countAll<number>(), '>', MAX_SESSIONS),
  );
  for (const { user_id: userId } of users) {
    for (let ended = 1; ended > 0; ) {
      ended = await transactShared([], function* () {
        const excess = excessSessions(context, userId);
        return (yield* queryRows(database.deleteFrom('sessions').where('id', 'in', excess).returning('id'))).length;
      });
      await yieldToEventLoop();
    }
  }
}

/**
 * Removes users who registered and never opened a valid link. A suspended user stays, or the person could register
 * anew.
 * @returns the number of removed users
 */
function removeStaleUnverified(context: UserContext, at: number): Promise<number> {
  const { database } = context;
  const before = toIsoTime(at - UNVERIFIED_KEPT_MS);
  return context.transactExclusive(function* () {
    const unproven = yield* queryRows(
      database
        .selectFrom('users')
        .select('id')
        .where('verified_at', 'is', null)
        .where('email', 'is not', null)
        .where('created_at', '<=', before)
        .where('suspended_at', 'is', null)
        .where(({ not, or, and, exists, selectFrom }) => {
          const registered = selectFrom('registrations').select('id').whereRef('user_id', '=', 'users.id');
          return and([
            not(
              exists(
                registered.where(({ eb }) =>
                  or([eb('made_at', '>', before), eb('link_made_at', '>', toIsoTime(at - VERIFICATION_MS))]),
                ),
              ),
            ),
            // Expired ones are deleted already.
            not(exists(selectFrom('password_resets').select('user_id').whereRef('user_id', '=', 'users.id'))),
          ]);
        })
        .limit(REMOVED_PER_BATCH),
    );
    for (const { id } of unproven) yield* removeUnverified(context, id);
    return unproven.length;
  });
}
