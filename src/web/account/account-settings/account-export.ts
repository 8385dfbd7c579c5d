import type { SecurityEvent, SecurityLog } from '../../../accounts/users/security-log.ts';
import type { Session, SignedInUser } from '../../../accounts/users/user-service.ts';
import type { AccountSettingsParts } from './account-settings-parts.ts';

type AccountExportParts = Pick<AccountSettingsParts, 'security' | 'exportSources'> & {
  readonly users: Pick<AccountSettingsParts['users'], 'sessionsOf'>;
};

/** Everything stored about a user and the account, as one JSON text in pieces: a ledger may not fit into memory. */
export async function exportAccount({ users, security, exportSources }: AccountExportParts, session: Session) {
  const { user } = session;
  const { accountId } = user;
  const [account, keys, sessions, invoices, events] = await Promise.all([
    exportSources.account(accountId),
    exportSources.keys(accountId),
    users.sessionsOf(user),
    exportSources.invoices(accountId),
    allEvents(security, user.id),
  ]);
  const before = {
    user: shownUser(user),
    account,
    keys,
    invoices,
    sessions: sessions.map((one) => shownSession(one, one.id === session.id)),
    security_events: events.map(shownEvent),
  };
  return pieces(before, exportSources.ledger(accountId));
}

async function* pieces(before: object, ledger: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `${JSON.stringify(before, null, 1).slice(0, -2)},\n "ledger": [`;
  let separator = '\n  ';
  for await (const entry of ledger) {
    yield separator + JSON.stringify(entry);
    separator = ',\n  ';
  }
  yield '\n ]\n}\n';
}

async function allEvents(security: Pick<SecurityLog, 'list'>, userId: number): Promise<readonly SecurityEvent[]> {
  const all = new Map<number, SecurityEvent>();
  for (let page = 1; ; page++) {
    const { events, total } = await security.list({ page, userId });
    // Events noted in the meantime shift the pages, so an event may come twice.
    for (const event of events) all.set(event.id, event);
    if (events.length === 0 || all.size >= total) return [...all.values()];
  }
}

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
  created_at: user.createdAt,
});

const shownSession = ({ id, createdAt, lastUsedAt, ip, userAgent }: Session, isCurrent: boolean) => ({
  id,
  created_at: createdAt,
  last_used_at: lastUsedAt,
  ip,
  user_agent: userAgent,
  current: isCurrent,
});

/** Leaves out which member of staff acted: that is not the user's own data. */
const shownEvent = ({ id, at, type, severity, path, ip, userAgent }: SecurityEvent) => ({
  id,
  at,
  type,
  severity,
  path,
  ip,
  user_agent: userAgent,
});
