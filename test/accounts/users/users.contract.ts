import { afterEach, beforeEach, describe } from 'vitest';
import { githubContract } from './github-sign-in.contract.ts';
import { accountOfUser } from './own-account.contract.ts';
import { ownRowsContract } from './own-rows.contract.ts';
import { signInContract } from './password-sign-in.contract.ts';
import { recoveryContract } from './recovery.contract.ts';
import { registrationContract } from './registration.contract.ts';
import { signInLimitsContract } from './sign-in-limits.contract.ts';
import { staffContract } from './staff-user-actions.contract.ts';
import { createUsersWorld, type UserStore, type UsersWorld } from './users-world.ts';

export interface OpenedUserStore {
  readonly store: UserStore;
  /** The same, as another process has it. */
  another(): Promise<UserStore>;
  close(): Promise<void>;
}

/** A new, empty world for each test. */
export interface UsersUnderTest {
  readonly world: UsersWorld;
  another(): Promise<UserStore>;
}

/** What people must be able to do, on every database. `open` gives a new, empty one. */
export function usersContract(name: string, open: () => Promise<OpenedUserStore>): void {
  describe(`people: ${name}`, () => {
    let opened: OpenedUserStore;
    let world: UsersWorld;
    beforeEach(async () => {
      opened = await open();
      world = createUsersWorld(opened.store);
    });
    afterEach(async () => {
      await world.close();
      await opened.close();
    });
    const given = (): UsersUnderTest => ({ world, another: opened.another });
    registrationContract(given);
    signInContract(given);
    accountOfUser(given);
    githubContract(given);
    recoveryContract(given);
    staffContract(given);
    ownRowsContract(given);
    signInLimitsContract(given);
  });
}
