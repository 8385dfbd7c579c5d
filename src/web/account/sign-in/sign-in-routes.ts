import type { SiteRoute } from '../visit.ts';
import { loginRoutes } from './login-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { registerRoutes } from './register-routes.ts';
import type { SignInParts } from './sign-in-parts.ts';

/** From the registration to the session, and out of it. */
export const signInRoutes = (parts: SignInParts): readonly SiteRoute[] => [
  ...loginRoutes(parts),
  ...registerRoutes(parts),
  ...passwordRoutes(parts),
];
