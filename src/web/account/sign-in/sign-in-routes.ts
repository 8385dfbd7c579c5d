import type { PageRoute } from '../page-route.ts';
import { loginRoutes } from './login-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { registerRoutes } from './register-routes.ts';
import type { SignInParts } from './sign-in-parts.ts';
import { undoEmailRoutes } from './undo-email-routes.ts';
import { verifyRoutes } from './verify-routes.ts';

/** All routes for registration, sign-in and sign-out. */
export const signInRoutes = (parts: SignInParts): readonly PageRoute[] => [
  ...loginRoutes(parts),
  ...registerRoutes(parts),
  ...verifyRoutes(parts),
  ...undoEmailRoutes(parts),
  ...passwordRoutes(parts),
];
