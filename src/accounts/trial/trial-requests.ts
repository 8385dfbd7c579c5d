import type { Kysely, Selectable } from 'kysely';
import { SECOND } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { NewApiKey } from '../keys/key-registry.ts';
import { insertKeySteps } from '../keys/sql-key-creation.ts';
import type { TrialDatabase, TrialRequestTable } from './trial-tables.ts';

/** RFC 8628, 3.5: a program that polls too fast waits this much longer, from then on. */
const SLOWER_BY_MS = 5 * SECOND;
/** A program that never slows down is asked for no more than this. */
const LONGEST_INTERVAL_MS = 60 * SECOND;
/** Ended requests that one step removes. */
const REMOVED_AT_ONCE = 100;

export type TrialRequest = Selectable<TrialRequestTable>;

/** What a poll finds. */
export type Poll =
  | { readonly state: 'expired_token' | 'access_denied' | 'key_limit_reached' }
  | { readonly state: 'authorization_pending' | 'slow_down'; readonly waitMs: number }
  | { readonly state: 'fetched'; readonly request: TrialRequest };

type Database = Kysely<TrialDatabase>;

/** Of requests that a person may still approve: of an account that is `full`, once it has room for a key. */
const OPEN = ['pending', 'full'];

/**
 * Adds a request that waits for a person. @param most how many there may be of all
 * @returns 0, or the milliseconds until one of them ends if there are too many
 */
export function* addRequestSteps(
  database: Database,
  request: Pick<
    TrialRequest,
    'device_hash' | 'user_hash' | 'client_name' | 'asked_from' | 'made_at' | 'expires_at' | 'interval_ms'
  >,
  most: number,
): QuerySteps<number> {
  const { made_at: now } = request;
  const [full] = yield* queryRows(
    database
      .selectFrom('trial_requests')
      .select('expires_at')
      .where('expires_at', '>', now)
      .orderBy('expires_at', 'desc')
      .offset(most - 1)
      .limit(1),
  );
  if (full) return full.expires_at - now;
  yield database.insertInto('trial_requests').values({
    ...request,
    next_poll_at: now,
    status: 'pending',
    user_id: null,
    key_id: null,
    sealed: null,
  });
  return 0;
}

/** What a program is told that polls. The key of an approved request is handed out by removing the request. */
export function* pollSteps(database: Database, deviceHash: string, now: number): QuerySteps<Poll> {
  const [found] = yield* queryRows(
    database.selectFrom('trial_requests').selectAll().where('device_hash', '=', deviceHash),
  );
  if (!found || found.expires_at <= now) return { state: 'expired_token' };
  if (found.status === 'refused') return { state: 'access_denied' };
  if (found.status === 'approved') {
    // Of several polls at once, one removes the row.
    const [request] = yield* queryRows(
      database.deleteFrom('trial_requests').where('id', '=', found.id).where('status', '=', 'approved').returningAll(),
    );
    return request ? { state: 'fetched', request } : { state: 'expired_token' };
  }
  const isTooFast = now < found.next_poll_at;
  const interval = isTooFast ? Math.min(found.interval_ms + SLOWER_BY_MS, LONGEST_INTERVAL_MS) : found.interval_ms;
  yield database
    .updateTable('trial_requests')
    .set({ interval_ms: interval, next_poll_at: now + interval })
    .where('id', '=', found.id);
  if (isTooFast) return { state: 'slow_down', waitMs: interval };
  return found.status === 'full'
    ? { state: 'key_limit_reached' }
    : { state: 'authorization_pending', waitMs: interval };
}

/** The request with this code that waits for a person; undefined if there is none. */
export function* findPendingSteps(
  database: Database,
  userHash: string,
  now: number,
): QuerySteps<TrialRequest | undefined> {
  const [found] = yield* queryRows(
    database
      .selectFrom('trial_requests')
      .selectAll()
      .where('user_hash', '=', userHash)
      .where('status', 'in', OPEN)
      .where('expires_at', '>', now),
  );
  return found;
}

/** Marks a request as decided. False: somebody else was first. */
function* decideSteps(
  database: Database,
  id: number,
  decision: { readonly status: string; readonly user_id?: number; readonly sealed?: string },
): QuerySteps<boolean> {
  const decided = yield* queryRows(
    database
      .updateTable('trial_requests')
      .set(decision)
      .where('id', '=', id)
      .where('status', 'in', OPEN)
      .returning('id'),
  );
  return decided.length > 0;
}

/** A person has approved the request, and the account has as many keys as it may have: the program is told. */
export const noteFullSteps = (database: Database, id: number): QuerySteps<boolean> =>
  decideSteps(database, id, { status: 'full' });

export const refuseSteps = (database: Database, id: number): QuerySteps<boolean> =>
  decideSteps(database, id, { status: 'refused' });

/**
 * Approves a request and makes its key, both or neither.
 * @returns the id of the key; undefined: somebody else was first
 * @throws TooManyKeysCreated, TooManyKeys
 */
export function* approveSteps(
  database: Database,
  id: number,
  { key, userId, sealed }: { readonly key: NewApiKey; readonly userId: number; readonly sealed: string },
): QuerySteps<number | undefined> {
  if (!(yield* decideSteps(database, id, { status: 'approved', user_id: userId, sealed }))) return undefined;
  const keyId = yield* insertKeySteps(database as unknown as Parameters<typeof insertKeySteps>[0], key);
  yield database.updateTable('trial_requests').set({ key_id: keyId }).where('id', '=', id);
  return keyId;
}

/** Removes some requests that have ended, and revokes the keys that nobody has fetched. @returns how many */
export function* sweepRequestsSteps(database: Database, now: number): QuerySteps<number> {
  const ended = database
    .selectFrom('trial_requests')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(REMOVED_AT_ONCE);
  const removed = yield* queryRows(
    database.deleteFrom('trial_requests').where('id', 'in', ended).returning(['key_id']),
  );
  const unfetched = removed.flatMap(({ key_id: keyId }) => keyId ?? []);
  if (unfetched.length > 0) {
    yield database
      .updateTable('api_keys')
      .set({ revoked_at: toIsoTime(now) })
      .where('id', 'in', unfetched)
      .where('revoked_at', 'is', null);
  }
  return removed.length;
}
