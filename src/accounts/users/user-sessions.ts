import { LRUCache } from 'lru-cache';
import { DAY, HOUR, MINUTE, SECOND } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { UserContext } from './user-context.ts';
import { isPresent, isSignedIn, type PresentRow, toUser } from './user-queries.ts';
import type { Client, NewSession, Session, SignedInUser } from './user-service.ts';

export const SESSION_IDLE_MS = 12 * HOUR;
export const REMEMBERED_SESSION_MS = 30 * DAY;
/** How often the last use is stored. */
const TOUCH_MS = MINUTE;
const LONGEST = 500;
const MOST_USED = 10_000;

export const REMEMBERED_SECONDS = REMEMBERED_SESSION_MS / SECOND;

interface SessionColumns {
  readonly session_id: number;
  readonly session_created_at: string;
  readonly last_used_at: string;
  readonly is_remembered: number;
  readonly ip: string;
  readonly user_agent: string;
}

const sessions = ({ database }: UserContext) =>
  database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.id as session_id', 'sessions.created_at as session_created_at', 'sessions.last_used_at'])
    .select(['sessions.is_remembered', 'sessions.ip', 'sessions.user_agent']);

/** Starts a session of this user now. */
export function* startSession(
  { database, digest, now }: UserContext,
  user: SignedInUser,
  token: string,
  isRemembered: boolean,
  { ip, userAgent }: Client,
): QuerySteps<NewSession> {
  const at = toIsoTime(now());
  const stored = { ip, user_agent: userAgent.slice(0, LONGEST) };
  const [row] = yield* queryRows(
    database
      .insertInto('sessions')
      .values({
        user_id: user.id,
        token_hash: digest('session', token),
        ...stored,
        created_at: at,
        last_used_at: at,
        is_remembered: isRemembered ? 1 : 0,
        confirmed_at: at,
      })
      .returning('id'),
  );
  const times = { createdAt: at, lastUsedAt: at };
  const session: Session = { id: row!.id, user, ...times, ip, userAgent: stored.user_agent };
  return { token, session, maxAgeSeconds: isRemembered ? REMEMBERED_SECONDS : null };
}

/** Ends all sessions of the user except `but`. */
export function* endSessions({ database }: UserContext, userId: number, but?: number): QuerySteps<void> {
  yield database
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(but !== undefined, (query) => query.where('id', '<>', but!));
}

const isAliveAt = (
  row: Pick<SessionColumns, 'is_remembered' | 'session_created_at'>,
  lastUse: number,
  at: number,
): boolean =>
  row.is_remembered === 1
    ? at < Date.parse(row.session_created_at) + REMEMBERED_SESSION_MS
    : at < lastUse + SESSION_IDLE_MS;

/** Whether a session goes on. */
export function* isSessionAlive(context: UserContext, sessionId: number): QuerySteps<boolean> {
  const [row] = yield* queryRows(sessions(context).where('sessions.id', '=', sessionId));
  return isPresent(row) && isAliveAt(row, Date.parse(row.last_used_at), context.now());
}

/** A sign-in, or the password, proves this long who uses a session. */
const PROOF_MS = 15 * MINUTE;

/** Whether the user of a session has proved lately who he is. */
export function* isSessionConfirmed({ database, now }: UserContext, sessionId: number): QuerySteps<boolean> {
  const [row] = yield* queryRows(
    database.selectFrom('sessions').select(['created_at', 'confirmed_at']).where('id', '=', sessionId),
  );
  return row !== undefined && now() - Date.parse(row.confirmed_at ?? row.created_at) < PROOF_MS;
}

export interface SessionReader {
  /** Marks the session as used. */
  find(token: string): Promise<Session | undefined>;
  listOfUser(userId: number): Promise<readonly Session[]>;
}

/** @param onError called if the last use could not be stored; the session continues */
export function createSessionReader(context: UserContext, onError: (error: unknown) => void): SessionReader {
  const { all, database, digest, now, transactShared } = context;
  /** The last use in this process by session, in milliseconds, since it is stored only once a minute. */
  const used = new LRUCache<number, number>({ max: MOST_USED });

  const lastUse = (row: SessionColumns): number =>
    Math.max(Date.parse(row.last_used_at), used.get(row.session_id) ?? 0);

  const isAlive = (row: SessionColumns, at: number): boolean => isAliveAt(row, lastUse(row), at);

  function toSession(row: SessionColumns & PresentRow, lastUsedAt: number): Session | undefined {
    const user = toUser(row);
    if (!isSignedIn(user) || !user.isActive) return undefined;
    return {
      id: row.session_id,
      user,
      createdAt: row.session_created_at,
      lastUsedAt: toIsoTime(lastUsedAt),
      ip: row.ip,
      userAgent: row.user_agent,
    };
  }

  return {
    async find(token) {
      const [row] = await all(sessions(context).where('sessions.token_hash', '=', digest('session', token)));
      const at = now();
      if (!isPresent(row) || !isAlive(row, at)) return undefined;
      const session = toSession(row, at);
      if (!session) return undefined;
      used.set(row.session_id, at);
      if (at - Date.parse(row.last_used_at) >= TOUCH_MS) {
        const touch = database
          .updateTable('sessions')
          .set({ last_used_at: toIsoTime(at) })
          .where('id', '=', row.session_id)
          .where('last_used_at', '<', toIsoTime(at));
        await transactShared([], function* (): QuerySteps<void> {
          yield touch;
        }).catch(onError);
      }
      return session;
    },
    async listOfUser(userId) {
      const rows = await all(sessions(context).where('sessions.user_id', '=', userId));
      const at = now();
      return rows
        .filter((row) => isPresent(row) && isAlive(row, at))
        .flatMap((row) => toSession(row as SessionColumns & PresentRow, lastUse(row)) ?? [])
        .sort((a, b) => Date.parse(b.lastUsedAt) - Date.parse(a.lastUsedAt) || b.id - a.id);
    },
  };
}
