import type { PageRoute } from '../page-route.ts';
import { loginRoutes } from './login-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { registerRoutes } from './register-routes.ts';
import type { SignInParts } from './sign-in-parts.ts';

/** From the registration to the session, and out of it. */
export const signInRoutes = (parts: SignInParts): readonly PageRoute[] => [
  ...loginRoutes(parts),
  ...registerRoutes(parts),
  ...passwordRoutes(parts),
];
