import type { People } from '../../../accounts/users/people.ts';
import type { SiteCookies } from '../cookies.ts';

export interface SignInParts {
  readonly people: Pick<
    People,
    | 'register'
    | 'verifyEmail'
    | 'resendVerification'
    | 'signIn'
    | 'forgotPassword'
    | 'isResetValid'
    | 'resetPassword'
    | 'endSession'
  >;
  readonly cookies: Pick<SiteCookies, 'session' | 'endedSession'>;
  /** False: `/register` is not there. */
  readonly isOpen: boolean;
  /** Whether people sign in with GitHub. */
  readonly hasGithub: boolean;
}
