import { Unavailable } from '../../domain/unavailable.ts';
import { createByGithub } from './by-github.ts';
import { createErrandWork, type ErrandTools } from './do-errand.ts';
import { createErrands } from './errands.ts';
import { createOperatorsOfPeople } from './operators-of-people.ts';
import { createOwnAccount } from './own-account.ts';
import { createPasswordHashing, HASHING, type HashingTerms } from './password-hashing.ts';
import type { OperatorsOfPeople, People } from './people.ts';
import { createPeopleContext, type PeopleContextParts } from './people-context.ts';
import { prunePeople } from './prune-people.ts';
import { createRegistering } from './registering.ts';
import { createResetting } from './resetting.ts';
import type { SecurityLog } from './security-log.ts';
import { createSessionReader } from './session-rows.ts';
import { createSignIn } from './signing-in.ts';
import { sqlSecurityLog } from './sql-security-log.ts';
import { createStaffOfPeople } from './staff-of-people.ts';

/** On a database with `createPeopleTables` and the keys' tables. */
export interface PeopleParts extends PeopleContextParts, ErrandTools {
  /** Whether anybody may register; absent: yes. */
  readonly isRegistrationOpen?: boolean;
  /** Absent: those of OWASP. */
  readonly hashing?: HashingTerms;
  /** Calls back after so many milliseconds. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly logger: {
    readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void;
  };
}

export interface OpenedPeople {
  readonly people: People;
  readonly security: SecurityLog;
  /** Does what a process that has ended has left to do. To be called at the start, and each minute. */
  resume(): Promise<void>;
  /** Erases what is too old. To be called at the start, and each day. @param at milliseconds */
  prune(at: number): Promise<void>;
  /** Resolves when nothing here uses the database any more. */
  close(): Promise<void>;
}

/** What operators do by command, without the rest. */
export function openOperators(parts: PeopleContextParts & Pick<PeopleParts, 'hashing' | 'baseUrl'>): OperatorsOfPeople {
  const { hashing = HASHING, baseUrl } = parts;
  return createOperatorsOfPeople(createPeopleContext(parts, createPasswordHashing(hashing)), baseUrl);
}

export function openPeople(parts: PeopleParts): OpenedPeople {
  const { isRegistrationOpen: isOpen = true, hashing = HASHING, later, logger, baseUrl } = parts;
  const told = (message: string) => (error: unknown) => {
    // Whatever is away tells of it itself.
    if (!(error instanceof Unavailable)) logger.warn({ err: error }, message);
  };
  const context = createPeopleContext(parts, createPasswordHashing(hashing));
  const errands = createErrands(context, {
    later,
    work: createErrandWork(context, parts),
    onError: told('a mail to a user, or the end of an account, is tried again'),
  });
  const sessions = createSessionReader(context, told('the last use of a session could not be noted'));
  const people: People = {
    ...createRegistering(context, { errands, isOpen }),
    ...createSignIn(context, { errands, onError: told('a password could not be hashed anew') }),
    ...createResetting(context, { errands }),
    ...createByGithub(context, { isOpen }),
    ...createOwnAccount(context, { errands }),
    session: sessions.find,
    sessionsOf: ({ id }) => sessions.of(id),
    staff: createStaffOfPeople(context, { errands, sessions }),
    operators: createOperatorsOfPeople(context, baseUrl),
  };
  return {
    people,
    security: sqlSecurityLog(context),
    resume: errands.run,
    prune: (at) => prunePeople(context, at),
    close: errands.close,
  };
}
