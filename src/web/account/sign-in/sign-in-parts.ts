import type { UserService } from '../../../accounts/users/user-service.ts';
import type { PageCookies } from '../page-cookies.ts';

export interface SignInParts {
  readonly users: Pick<
    UserService,
    | 'register'
    | 'verifyEmail'
    | 'resendVerification'
    | 'signIn'
    | 'forgotPassword'
    | 'isResetValid'
    | 'resetPassword'
    | 'endSession'
  >;
  readonly cookies: Pick<PageCookies, 'session' | 'endedSession'>;
  /** False: `/register` is not there. */
  readonly isRegistrationOpen: boolean;
  /** Whether people sign in with GitHub. */
  readonly hasGithub: boolean;
}
