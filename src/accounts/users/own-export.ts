import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import {
  countAttempt,
  exportLimit,
  forgetAttempts,
  lockNamesOf,
  readWait,
  runningExportLimit,
  tooManyAttemptsError,
} from './attempt-limits.ts';
import type { UserContext } from './user-context.ts';
import type { UserService } from './user-service.ts';
import type { SessionReader } from './user-sessions.ts';

/** Counts the downloads of everything that is kept of a user. */
export const createOwnExport = (
  context: UserContext,
  { sessions }: { readonly sessions: Pick<SessionReader, 'listOfUser'> },
): Pick<UserService, 'beginExport'> => ({
  async beginExport({ id }) {
    const [counted, running] = [exportLimit(context, id), runningExportLimit(context, id)];
    const limits = [counted, running];
    const waitMs = await context.transactShared(lockNamesOf(limits), function* (): QuerySteps<number> {
      const wait = yield* readWait(context, limits);
      if (wait === 0) yield* countAttempt(context, limits);
      return wait;
    });
    if (waitMs > 0) throw tooManyAttemptsError(waitMs);
    return {
      sessions: sessions.listOfUser(id),
      end: () => context.transactShared(lockNamesOf([running]), () => forgetAttempts(context, [running])),
    };
  },
});
