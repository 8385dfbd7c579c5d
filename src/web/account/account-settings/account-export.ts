import type { SecurityEvent } from '../../../accounts/users/security-log.ts';
import type { Session, SignedInUser } from '../../../accounts/users/user-service.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { AccountSettingsParts } from './account-settings-parts.ts';

type AccountExportParts = Pick<AccountSettingsParts, 'security' | 'exportSources'>;

/** A member of the export: a value, or the rows of a list, which are read while they are sent. */
type Member =
  | readonly [name: string, value: object | undefined]
  | readonly [name: string, rows: AsyncIterable<unknown>];

/** Rows of one piece of text. */
const ROWS_PER_PIECE = 50;

/**
 * Everything stored about a user and the account, as one JSON text in pieces: no list may have to fit into memory, and
 * none holds others up.
 * @param sessions all sessions of the user
 */
export function exportAccount(
  { security, exportSources }: AccountExportParts,
  session: Session,
  sessions: AsyncIterable<Session>,
): AsyncIterable<string> {
  const { user } = session;
  const { accountId } = user;
  return pieces(async () => [
    ['user', shownUser(user)],
    ['account', await exportSources.account(accountId)],
    ['keys', exportSources.keys(accountId)],
    ['bets', exportSources.bets(accountId)],
    ['invoices', exportSources.invoices(accountId)],
    ['sessions', mapped(sessions, (one) => shownSession(one, one.id === session.id))],
    ['security_events', mapped(security.ofUser(user.id), shownEvent)],
    ['ledger', exportSources.ledger(accountId)],
  ]);
}

async function* pieces(open: () => Promise<readonly Member[]>): AsyncGenerator<string> {
  let start = '{';
  for (const [name, value] of await open()) {
    yield `${start}\n ${JSON.stringify(name)}: `;
    start = ',';
    if (isRows(value)) yield* rowPieces(value);
    else yield JSON.stringify(value ?? null);
  }
  yield '\n}\n';
}

async function* rowPieces(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let start = '[';
  let lines: string[] = [];
  for await (const row of rows) {
    lines.push(`${start}\n  ${JSON.stringify(row)}`);
    start = ',';
    if (lines.length < ROWS_PER_PIECE) continue;
    yield lines.join('');
    lines = [];
    await yieldToEventLoop();
  }
  yield `${lines.join('')}${start === '[' ? '[' : '\n '}]`;
}

const isRows = (value: object | undefined): value is AsyncIterable<unknown> =>
  value !== undefined && Symbol.asyncIterator in value;

async function* mapped<From, To>(rows: AsyncIterable<From>, to: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) yield to(row);
}

const timeOf = (iso: string): string => formatTime(Date.parse(iso));

const shownUser = (user: SignedInUser) => ({
  id: user.id,
  account_id: user.accountId,
  email: user.email,
  name: user.name,
  timezone: user.timezone,
  verified: user.isVerified,
  has_password: user.hasPassword,
  github_id: user.githubId,
  staff: user.isStaff,
  role: user.role,
  active: user.isActive,
  created_at: timeOf(user.createdAt),
});

const shownSession = ({ id, createdAt, lastUsedAt, ip, userAgent }: Session, isCurrent: boolean) => ({
  id,
  created_at: timeOf(createdAt),
  last_used_at: timeOf(lastUsedAt),
  ip,
  user_agent: userAgent,
  current: isCurrent,
});

/** Leaves out which member of staff acted: that is not the user's own data. */
const shownEvent = ({ id, at, type, severity, path, ip, userAgent }: SecurityEvent) => ({
  id,
  at: timeOf(at),
  type,
  severity,
  path,
  ip,
  user_agent: userAgent,
});
