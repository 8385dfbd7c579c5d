import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { UserService } from '../../../accounts/users/user-service.ts';
import type { PageCookies } from '../../layout/page-cookies.ts';

export interface AccountSettingsParts {
  readonly users: Pick<
    UserService,
    | 'changeProfile'
    | 'changePassword'
    | 'deleteUser'
    | 'sessionsOf'
    | 'revokeSession'
    | 'revokeOthers'
    | 'unlinkGithub'
    | 'beginExport'
  >;
  readonly security: Pick<SecurityLog, 'ofUser'>;
  readonly cookies: Pick<PageCookies, 'session' | 'endedSession'>;
  /** Whether users can sign in with GitHub. */
  readonly hasGithub: boolean;
  readonly exportSources: AccountExportSources;
}

/**
 * What other parts of the server store about an account, in the words and shapes of the API, without secrets. Lists come
 * row by row: they may not fit into memory.
 */
export interface AccountExportSources {
  account(accountId: number): Promise<object | undefined>;
  keys(accountId: number): AsyncIterable<unknown>;
  /** Newest first. */
  bets(accountId: number): AsyncIterable<unknown>;
  /** Newest first. */
  invoices(accountId: number): AsyncIterable<unknown>;
  /** Oldest first. */
  ledger(accountId: number): AsyncIterable<unknown>;
}
