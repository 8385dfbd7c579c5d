import type { Selectable } from 'kysely';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { readNewestFirst, readPage } from '../../platform/sql/newest-first.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { countAttemptIfAllowed, lockNamesOf, noteLimits } from './attempt-limits.ts';
import {
  type NewSecurityEvent,
  SECURITY_EVENTS,
  type SecurityEvent,
  type SecurityEventType,
  type SecurityFilter,
  type SecurityLog,
  type Severity,
} from './security-log.ts';
import { type UserContext, withoutNul } from './user-context.ts';
import type { SecurityEventTable } from './user-tables.ts';

const EVENTS_PER_PAGE = 50;
const LONGEST = 500;

/** Events of `info` and `warning` that are kept of one user, and of all. What staff and operators did is kept for good. */
export const MAX_EVENTS_OF_USER = 10_000;
export const MAX_EVENTS = 1_000_000;
/** Old events that go with each new one. More than one, so that those of an earlier version go as well. */
const REMOVED_AT_ONCE = 100;

const SEVERITIES = new Map<SecurityEventType, Severity>(
  Object.entries(SECURITY_EVENTS).flatMap(([severity, types]) =>
    types.map((type): [SecurityEventType, Severity] => [type, severity as Severity]),
  ),
);

/** An event to record. Without a client: a command did it, or the client must not be stored. */
type SecurityEventToRecord = Omit<NewSecurityEvent, 'client'> & Partial<Pick<NewSecurityEvent, 'client'>>;

/** Records the event. The oldest ones beyond the bounds go. */
export function* recordSecurityEvent(context: UserContext, event: SecurityEventToRecord): QuerySteps<void> {
  const { database, now } = context;
  const [recorded] = yield* queryRows(
    database
      .insertInto('security_events')
      .values(rowOf(event, toIsoTime(now())))
      .returning('id'),
  );
  if (recorded!.id > MAX_EVENTS) yield removeEvents(context, recorded!.id - MAX_EVENTS);
  const { userId } = event;
  if (userId === undefined) return;
  const [oldest] = yield* queryRows(
    database
      .selectFrom('security_events')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .offset(MAX_EVENTS_OF_USER)
      .limit(1),
  );
  if (oldest) yield removeEvents(context, oldest.id, userId);
}

/** Removes some of the events up to this id, of one user or of all, the oldest first. */
export function removeEvents({ database, unlocked }: UserContext, upTo: number, userId?: number) {
  const old = database
    .selectFrom('security_events')
    .select('id')
    .where('severity', 'in', ['info', 'warning'])
    .where('id', '<=', upTo)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .orderBy('id')
    .limit(REMOVED_AT_ONCE);
  return database.deleteFrom('security_events').where('id', 'in', unlocked(old));
}

/** Records what anybody can cause without a key: once a minute for an address. */
export async function recordKeylessEvent(context: UserContext, event: NewSecurityEvent): Promise<void> {
  const once = noteLimits(context, event.type, event.client.ip);
  await context.transactShared(lockNamesOf(once), function* () {
    if ((yield* countAttemptIfAllowed(context, once)) === 0) yield* recordSecurityEvent(context, event);
  });
}

const rowOf = ({ type, userId, byUserId, path, client }: SecurityEventToRecord, at: string) => ({
  at,
  type,
  severity: SEVERITIES.get(type)!,
  user_id: userId ?? null,
  by_user_id: byUserId ?? null,
  path: path === undefined ? null : withoutNul(path).slice(0, LONGEST),
  ip: client?.ip || null,
  user_agent: client?.userAgent.slice(0, LONGEST) || null,
});

export function createSqlSecurityLog(context: UserContext): SecurityLog {
  const { database, all, transactShared } = context;

  /** Only one condition goes to the database, which has an index for it. */
  const batchesOf =
    ({ userId, severity }: SecurityFilter) =>
    (before: number | undefined, limit: number) =>
      all(
        database
          .selectFrom('security_events')
          .selectAll()
          .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
          .$if(userId === undefined && severity !== undefined, (query) => query.where('severity', '=', severity!))
          .$if(before !== undefined, (query) => query.where('id', '<', before!))
          .orderBy('id', 'desc')
          .limit(limit),
      );

  return {
    async note(event) {
      if (KEYLESS.has(event.type)) return recordKeylessEvent(context, event);
      await transactShared([], () => recordSecurityEvent(context, event));
    },
    async list(filter) {
      const { page = 1, before, severity, type, ip, userId } = filter;
      const { rows, hasMore } = await readPage(
        batchesOf(filter),
        { page, before, size: EVENTS_PER_PAGE },
        (row) =>
          (severity === undefined || row.severity === severity) &&
          (type === undefined || row.type === type) &&
          (ip === undefined || row.ip === ip) &&
          (userId === undefined || row.user_id === userId),
      );
      return { events: rows.map(toEvent), hasMore };
    },
    async *ofUser(userId) {
      for await (const row of readNewestFirst(batchesOf({ userId }))) yield toEvent(row);
    },
  };
}

/** What a request without a key or session can cause, and nothing else bounds. */
const KEYLESS: ReadonlySet<SecurityEventType> = new Set(['csrf_refused', 'sign_in_throttled']);

const toEvent = (row: Selectable<SecurityEventTable>): SecurityEvent => ({
  id: row.id,
  at: row.at,
  type: row.type as SecurityEventType,
  severity: row.severity as Severity,
  userId: row.user_id,
  byUserId: row.by_user_id,
  path: row.path,
  ip: row.ip,
  userAgent: row.user_agent,
});
