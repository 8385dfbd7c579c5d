import { Refused } from '../../domain/refused-act.ts';
import { isAlreadyThere } from '../../platform/sql/already-there.ts';
import type { Steps } from '../../platform/sql/query-runner.ts';
import { emailAddress } from './email-address.ts';
import type { GithubPerson, People, SignIn } from './people.ts';
import type { PeopleContext } from './people-context.ts';
import { nameFrom } from './people-names.ts';
import { addUser } from './registering.ts';
import { signInSteps } from './signing-in.ts';
import { noteEvent } from './sql-security-log.ts';
import type { Client } from './user.ts';
import { type PresentRow, removeUnverified, userBy } from './user-rows.ts';
import { verifyUser } from './verified-users.ts';

const LINKED_TO_ANOTHER = 'This GitHub account is linked to another user.';
const NEEDS_PASSWORD = 'Set a password first: without it and without GitHub you could not sign in.';

/** @param isOpen whether somebody who is unknown becomes a user */
export function createByGithub(
  context: PeopleContext,
  { isOpen }: { readonly isOpen: boolean },
): Pick<People, 'signInByGithub' | 'linkGithub' | 'unlinkGithub'> {
  const { database } = context;

  function* link(userId: number, githubId: string, client: Client): Steps<void> {
    yield database.updateTable('users').set({ github_id: githubId }).where('id', '=', userId);
    yield* noteEvent(context, { type: 'github_linked', userId, client });
  }

  /** Whose the address is; undefined: nobody's, and nobody's it becomes. */
  function* byAddress({ id, name }: GithubPerson, email: string, client: Client): Steps<PresentRow | undefined> {
    const known = yield* userBy(context, 'email', email);
    if (known && known.verified_at !== null) {
      yield* link(known.id, id, client);
      return yield* userBy(context, 'id', known.id);
    }
    // One who was suspended before his address was known does not become another by this.
    if (known?.suspended_at) return known;
    if (!isOpen) return undefined;
    // Whoever has registered with the address may not be the one that GitHub knows.
    if (known) yield* removeUnverified(context, known.id);
    const userId = yield* addUser(context, email, nameFrom(name));
    yield* verifyUser(
      context,
      { id: userId, email, suspended_at: null },
      { plan: 'free', passwordHash: null, githubId: id },
    );
    for (const type of ['registered', 'email_verified', 'github_linked'] as const) {
      yield* noteEvent(context, { type, userId, client });
    }
    return yield* userBy(context, 'id', userId);
  }

  return {
    async signInByGithub(person, client) {
      const email = person.verifiedEmail === null ? undefined : emailAddress(person.verifiedEmail);
      const token = context.newToken();
      return context.change(function* (): Steps<SignIn> {
        const linked = yield* userBy(context, 'github_id', person.id);
        const user = linked ?? (email === undefined ? undefined : yield* byAddress(person, email, client));
        if (!user) return { outcome: 'wrong' };
        return yield* signInSteps(context, user, { token, isRemembered: false, client });
      });
    },
    async linkGithub({ user }, githubId, client) {
      try {
        await context.change(function* () {
          const linked = yield* userBy(context, 'github_id', githubId);
          if (linked && linked.id !== user.id) throw new Refused(409, LINKED_TO_ANOTHER);
          if (!linked) yield* link(user.id, githubId, client);
        });
      } catch (error) {
        throw isAlreadyThere(error) ? new Refused(409, LINKED_TO_ANOTHER) : error;
      }
    },
    async unlinkGithub({ user }, client) {
      await context.change(function* () {
        const row = yield* userBy(context, 'id', user.id);
        if (!row || row.github_id === null) return;
        if (row.password_hash === null) throw new Refused(422, NEEDS_PASSWORD);
        yield database.updateTable('users').set({ github_id: null }).where('id', '=', user.id);
        yield* noteEvent(context, { type: 'github_unlinked', userId: user.id, client });
      });
    },
  };
}
