import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { UserService } from '../../../accounts/users/user-service.ts';
import type { PageCookies } from '../page-cookies.ts';

export interface AccountSettingsParts {
  readonly users: Pick<
    UserService,
    'changeProfile' | 'changePassword' | 'deleteUser' | 'sessionsOf' | 'revokeSession' | 'revokeOthers' | 'unlinkGithub'
  >;
  readonly security: Pick<SecurityLog, 'list'>;
  readonly cookies: Pick<PageCookies, 'session' | 'endedSession'>;
  /** Whether users can sign in with GitHub. */
  readonly hasGithub: boolean;
  readonly exportSources: AccountExportSources;
}

/** What other parts of the server store about an account, in the form of the download: without secrets. */
export interface AccountExportSources {
  account(accountId: number): Promise<unknown>;
  keys(accountId: number): Promise<readonly unknown[]>;
  invoices(accountId: number): Promise<readonly unknown[]>;
  /** Entry by entry, oldest first: the ledger may not fit into memory. */
  ledger(accountId: number): AsyncIterable<unknown>;
}
