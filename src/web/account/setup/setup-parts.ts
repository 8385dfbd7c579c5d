import type { OperatorUserActions, UserService } from '../../../accounts/users/user-service.ts';
import type { PageCookies } from '../../layout/page-cookies.ts';
import type { KnownBrowsers } from '../known-browsers.ts';
import type { SetupDesk } from './setup-desk.ts';

/** What the pages of the setup work with. */
export interface SetupParts {
  readonly desk: SetupDesk;
  readonly users: Pick<UserService, 'signIn'> & { readonly operators: Pick<OperatorUserActions, 'create'> };
  readonly hasOwner: () => Promise<boolean>;
  readonly cookies: Pick<PageCookies, 'session' | 'write'>;
  readonly browsers: KnownBrowsers;
  /** Milliseconds. */
  readonly now: () => number;
}
