import { afterEach, beforeEach, describe } from 'vitest';
import { accountOfUser } from './account.contract.ts';
import { githubContract } from './github.contract.ts';
import { type PeopleStore, type PeopleWorld, peopleWorld } from './people-world.ts';
import { registrationContract } from './registration.contract.ts';
import { signInContract } from './sign-in.contract.ts';
import { staffContract } from './staff.contract.ts';

export interface OpenedPeopleStore {
  readonly store: PeopleStore;
  /** The same, as another process has it. */
  another(): Promise<PeopleStore>;
  close(): Promise<void>;
}

/** A new, empty world for each test. */
export interface PeopleUnderTest {
  readonly world: PeopleWorld;
  another(): Promise<PeopleStore>;
}

/** What people must be able to do, on every database. `open` gives a new, empty one. */
export function peopleContract(name: string, open: () => Promise<OpenedPeopleStore>): void {
  describe(`people: ${name}`, () => {
    let opened: OpenedPeopleStore;
    let world: PeopleWorld;
    beforeEach(async () => {
      opened = await open();
      world = peopleWorld(opened.store);
    });
    afterEach(async () => {
      await world.close();
      await opened.close();
    });
    const given = (): PeopleUnderTest => ({ world, another: opened.another });
    registrationContract(given);
    signInContract(given);
    accountOfUser(given);
    githubContract(given);
    staffContract(given);
  });
}
