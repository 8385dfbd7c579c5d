import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { UserContext } from './user-context.ts';
import { RESET_MS, removeUnverified, TAKEBACK_MS, VERIFICATION_MS } from './user-queries.ts';
import { REMEMBERED_SESSION_MS, SESSION_IDLE_MS } from './user-sessions.ts';

/** How long IPs and user agents stay in the security log. */
const CLIENT_KEPT_MS = 90 * DAY;
/** No attempt counts longer than this. */
const ATTEMPT_KEPT_MS = HOUR;
/** How long an unverified registration is kept. */
const UNVERIFIED_KEPT_MS = 30 * DAY;
const REMOVED_PER_BATCH = 100;

/** Erases data that is too old to be of use. @param at milliseconds */
export async function pruneUsers(context: UserContext, at: number): Promise<void> {
  const { database, transactShared } = context;
  const before = (milliseconds: number): string => toIsoTime(at - milliseconds);
  const steps: (() => QuerySteps<void>)[] = [
    function* () {
      yield database
        .updateTable('security_events')
        .set({ ip: null, user_agent: null })
        .where('at', '<=', before(CLIENT_KEPT_MS))
        .where(({ or, eb }) => or([eb('ip', 'is not', null), eb('user_agent', 'is not', null)]));
    },
    function* () {
      yield database.deleteFrom('attempts').where('at', '<=', at - ATTEMPT_KEPT_MS);
    },
    function* () {
      yield database
        .deleteFrom('sessions')
        .where(({ or, and, eb }) =>
          or([
            and([eb('is_remembered', '=', 0), eb('last_used_at', '<=', before(SESSION_IDLE_MS + HOUR))]),
            and([eb('is_remembered', '=', 1), eb('created_at', '<=', before(REMEMBERED_SESSION_MS))]),
          ]),
        );
    },
    function* () {
      yield database.deleteFrom('password_resets').where('made_at', '<=', before(RESET_MS));
    },
    function* () {
      yield database.deleteFrom('email_changes').where('made_at', '<=', before(VERIFICATION_MS + HOUR));
    },
    function* () {
      yield database.deleteFrom('email_takebacks').where('changed_at', '<=', before(TAKEBACK_MS));
    },
    function* () {
      // Unopened registrations are kept longer: the newest link can be mailed again.
      yield database.deleteFrom('registrations').where('opened_at', '<=', before(VERIFICATION_MS));
    },
  ];
  // Separate transactions, so that others do not wait long.
  for (const one of steps) await transactShared([], one);
  while ((await removeStaleUnverified(context, at)) === REMOVED_PER_BATCH);
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
