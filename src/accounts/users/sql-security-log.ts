import type { Selectable } from 'kysely';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import {
  type NewSecurityEvent,
  SECURITY_EVENTS,
  type SecurityEvent,
  type SecurityEventType,
  type SecurityLog,
  type Severity,
} from './security-log.ts';
import { type UserContext, withoutNul } from './user-context.ts';
import type { SecurityEventTable } from './user-tables.ts';

const A_PAGE = 50;
const LONGEST = 500;

const SEVERITIES = new Map<SecurityEventType, Severity>(
  Object.entries(SECURITY_EVENTS).flatMap(([severity, types]) =>
    types.map((type): [SecurityEventType, Severity] => [type, severity as Severity]),
  ),
);

/** An event to record. Without a client: a command did it, or the client must not be stored. */
type SecurityEventToRecord = Omit<NewSecurityEvent, 'client'> & Partial<Pick<NewSecurityEvent, 'client'>>;

export function* recordSecurityEvent({ database, now }: UserContext, event: SecurityEventToRecord): QuerySteps<void> {
  yield database.insertInto('security_events').values(rowOf(event, toIsoTime(now())));
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
  return {
    async note(event) {
      await transactShared([], () => recordSecurityEvent(context, event));
    },
    async list({ page, severity, type, ip, userId }) {
      const found = database
        .selectFrom('security_events')
        .$if(severity !== undefined, (query) => query.where('severity', '=', severity!))
        .$if(type !== undefined, (query) => query.where('type', '=', type!))
        .$if(ip !== undefined, (query) => query.where('ip', '=', withoutNul(ip!)))
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!));
      const rows = await all(
        found
          .selectAll()
          .orderBy('id', 'desc')
          .limit(A_PAGE)
          .offset((page - 1) * A_PAGE),
      );
      const [counted] = await all(found.select(({ fn }) => fn.countAll<number>().as('total')));
      return { events: rows.map(toEvent), total: counted!.total };
    },
  };
}

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
