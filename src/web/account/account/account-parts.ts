import type { People } from '../../../accounts/users/people.ts';
import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { SiteCookies } from '../cookies.ts';

export interface AccountParts {
  readonly people: Pick<
    People,
    'changeProfile' | 'changePassword' | 'deleteUser' | 'sessionsOf' | 'revokeSession' | 'revokeOthers' | 'unlinkGithub'
  >;
  readonly security: Pick<SecurityLog, 'list'>;
  readonly cookies: Pick<SiteCookies, 'session' | 'endedSession'>;
  /** Whether people sign in with GitHub. */
  readonly hasGithub: boolean;
  readonly exported: ExportedParts;
}

/** What of an account other parts of the server know, as it stands in the download: without secrets. */
export interface ExportedParts {
  account(accountId: number): Promise<unknown>;
  keys(accountId: number): Promise<readonly unknown[]>;
  invoices(accountId: number): Promise<readonly unknown[]>;
  /** Entry by entry, the oldest first: there may be more of them than fit in memory. */
  ledger(accountId: number): AsyncIterable<unknown>;
}
