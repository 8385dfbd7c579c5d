import type { PageRoute } from '../page-route.ts';
import { ownerRoutes } from './owner-step.ts';
import { peopleRoutes } from './people-step.ts';
import type { SetupParts } from './setup-parts.ts';
import { sportRoutes } from './sport-step.ts';
import { storageRoutes } from './storage-step.ts';
import { summaryRoutes } from './summary-step.ts';

/** The pages of the first hour: somebody becomes the owner of the server, and chooses its settings. */
export const setupRoutes = (parts: SetupParts): readonly PageRoute[] => [
  ...ownerRoutes(parts),
  ...sportRoutes(parts),
  ...storageRoutes(parts),
  ...peopleRoutes(parts),
  ...summaryRoutes(parts),
];
