import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { toIsoText, type UserContext } from './user-context.ts';
import { RESET_MS, removeUnverified, VERIFICATION_MS } from './user-queries.ts';
import { REMEMBERED_SESSION_MS, SESSION_IDLE_MS } from './user-sessions.ts';

/** So long IPs and user agents stand in the security log. */
const CLIENT_KEPT_MS = 90 * DAY;
/** Nothing counts longer against a limit. */
const ATTEMPT_KEPT_MS = HOUR;
/** So long a registration waits for its address to be proven. */
const UNVERIFIED_KEPT_MS = 30 * DAY;
const REMOVED_PER_BATCH = 100;

/** Erases what is too old to be of use. @param at milliseconds */
export async function pruneUsers(context: UserContext, at: number): Promise<void> {
  const { database, transactShared } = context;
  const before = (milliseconds: number): string => toIsoText(at - milliseconds);
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
      // Those that were not opened stay for longer: the newest link of them can be mailed again.
      yield database.deleteFrom('registrations').where('opened_at', '<=', before(VERIFICATION_MS));
    },
  ];
  // Each by itself: nobody waits long.
  for (const one of steps) await transactShared([], one);
  while ((await removeStaleUnverified(context, at)) === REMOVED_PER_BATCH);
}

/**
 * Those who registered and never came back: they have no link that can still be opened. Whom staff have suspended stays,
 * for else he would register anew.
 * @returns how many
 */
function removeStaleUnverified(context: UserContext, at: number): Promise<number> {
  const { database } = context;
  const before = toIsoText(at - UNVERIFIED_KEPT_MS);
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
                  or([eb('made_at', '>', before), eb('link_made_at', '>', toIsoText(at - VERIFICATION_MS))]),
                ),
              ),
            ),
            // Older ones are gone.
            not(exists(selectFrom('password_resets').select('user_id').whereRef('user_id', '=', 'users.id'))),
          ]);
        })
        .limit(REMOVED_PER_BATCH),
    );
    for (const { id } of unproven) yield* removeUnverified(context, id);
    return unproven.length;
  });
}
