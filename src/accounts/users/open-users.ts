import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { createEmailUndo } from './email-change.ts';
import { createGithubSignIn } from './github-sign-in.ts';
import { createJobQueue } from './job-queue.ts';
import { createJobRunner, type JobRunnerTools } from './job-runner.ts';
import { createOperatorUserActions } from './operator-user-actions.ts';
import { createOwnAccount } from './own-account.ts';
import { createOwnExport } from './own-export.ts';
import { createPasswordHashing, DEFAULT_HASHING, type HashingOptions } from './password-hashing.ts';
import { createPasswordReset } from './password-reset.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import { pruneUsers } from './prune-users.ts';
import { createRegistration } from './registration.ts';
import { createResetAccess } from './remaining-access.ts';
import type { SecurityLog } from './security-log.ts';
import { createSqlSecurityLog } from './sql-security-log.ts';
import { createStaffUserActions } from './staff-user-actions.ts';
import { createUserContext, type UserContextParts } from './user-context.ts';
import type { OperatorUserActions, UserService } from './user-service.ts';
import { createSessionReader, readSessionPage } from './user-sessions.ts';

/** Needs a database with the tables of `createUserTables` and of the keys. */
export interface UsersParts extends UserContextParts, JobRunnerTools {
  /** Whether anybody may register now; default: yes. */
  readonly isRegistrationOpen?: () => boolean;
  /** Default: OWASP's parameters. */
  readonly hashing?: HashingOptions;
  /** Calls back after this many milliseconds. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly logger: {
    readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void;
  };
}

export interface OpenedUsers {
  readonly users: UserService;
  readonly security: SecurityLog;
  /** Does the jobs that an ended process has left. Call it at the start, and each minute. */
  resume(): Promise<void>;
  /** Erases old data. Call it at the start, and each day. @param at milliseconds */
  prune(at: number): Promise<void>;
  /** Resolves when nothing here uses the database any more. */
  close(): Promise<void>;
}

/** Only the actions for operators' commands. */
export function openOperatorUserActions(
  parts: UserContextParts & Pick<UsersParts, 'hashing' | 'baseUrl'>,
): OperatorUserActions {
  const { hashing = DEFAULT_HASHING, baseUrl } = parts;
  return createOperatorUserActions(createUserContext(parts, createPasswordHashing(hashing)), baseUrl);
}

export function openUsers(parts: UsersParts): OpenedUsers {
  const { isRegistrationOpen = () => true, hashing = DEFAULT_HASHING, later, logger, baseUrl } = parts;
  const warnOn = (message: string) => (error: unknown) => {
    // An unavailable engine has its own log message.
    if (!(error instanceof UnavailableError)) logger.warn({ err: error }, message);
  };
  const context = createUserContext(parts, createPasswordHashing(hashing));
  const jobs = createJobQueue(context, {
    later,
    work: createJobRunner(context, parts),
    onError: warnOn('a mail to a user, or the end of an account, is tried again'),
  });
  const sessions = createSessionReader(context, warnOn('the last use of a session could not be noted'));
  const users: UserService = {
    ...createRegistration(context, { jobs, isOpen: isRegistrationOpen }),
    ...createPasswordSignIn(context, { jobs, onError: warnOn('a password could not be hashed anew') }),
    ...createPasswordReset(context, { jobs }),
    ...createGithubSignIn(context, { jobs, isOpen: isRegistrationOpen }),
    ...createEmailUndo(context, { jobs }),
    ...createResetAccess(context, parts, { jobs }),
    ...createOwnAccount(context, { jobs }),
    session: sessions.find,
    ...createOwnExport(context, { sessions }),
    sessionsOf: ({ id }, before) => readSessionPage(sessions.listOfUser(id, before)),
    staff: createStaffUserActions(context, { jobs, sessions }),
    operators: createOperatorUserActions(context, baseUrl),
  };
  return {
    users,
    security: createSqlSecurityLog(context),
    resume: jobs.run,
    prune: (at) => pruneUsers(context, at),
    close: jobs.close,
  };
}
