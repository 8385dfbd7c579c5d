import type { UserService } from '../../../accounts/users/user-service.ts';
import type { PageCookies } from '../../layout/page-cookies.ts';
import type { KnownBrowsers } from '../known-browsers.ts';
import type { RememberedNext } from '../remembered-next.ts';

export interface SignInParts {
  readonly users: Pick<
    UserService,
    | 'register'
    | 'findVerification'
    | 'verifyEmail'
    | 'findEmailUndo'
    | 'undoEmailChange'
    | 'resendVerification'
    | 'signIn'
    | 'forgotPassword'
    | 'isResetValid'
    | 'resetPassword'
    | 'accessAfterReset'
    | 'removeAccess'
    | 'endSession'
  >;
  readonly cookies: Pick<PageCookies, 'session' | 'endedSession'>;
  readonly browsers: KnownBrowsers;
  readonly rememberedNext: RememberedNext;
  /** False: `/register` does not exist. */
  readonly isRegistrationOpen: () => boolean;
  /** Whether users can sign in with GitHub. */
  readonly hasGithub: boolean;
}
