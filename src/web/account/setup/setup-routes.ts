import type { OperatorUserActions, UserService } from '../../../accounts/users/user-service.ts';
import type { KnownBrowsers } from '../known-browsers.ts';
import type { PageCookies } from '../page-cookies.ts';
import type { PageRoute } from '../page-route.ts';
import { ownerRoutes } from './owner-step.ts';
import { peopleRoutes } from './people-step.ts';
import type { SetupDesk } from './setup-desk.ts';
import { sportRoutes } from './sport-step.ts';
import { storageRoutes } from './storage-step.ts';
import { summaryRoutes } from './summary-step.ts';

export interface SetupParts {
  readonly desk: SetupDesk;
  readonly users: Pick<UserService, 'signIn'> & { readonly operators: Pick<OperatorUserActions, 'create'> };
  readonly hasOwner: () => Promise<boolean>;
  readonly cookies: Pick<PageCookies, 'session' | 'write'>;
  readonly browsers: KnownBrowsers;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The pages of the first hour: somebody becomes the owner of the server, and chooses its settings. */
export const setupRoutes = (parts: SetupParts): readonly PageRoute[] => [
  ...ownerRoutes(parts),
  ...sportRoutes(parts),
  ...storageRoutes(parts),
  ...peopleRoutes(parts),
  ...summaryRoutes(parts),
];
