import fc from 'fast-check';
import { expect, it } from 'vitest';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import { createSqliteKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { SQLITE } from '../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { cases } from '../../support/cases.ts';
import { begun, CLIENT, clientOf, createUsersWorld, EMAIL, PASSWORD, type UsersWorld } from './users-world.ts';

const GITHUB = '666';
const EVIL = ['evil@example.net', 'evil2@example.net'] as const;
const NEW_PASSWORD = 'what the victim sets at last';

async function inWorld(work: (world: UsersWorld) => Promise<void>): Promise<void> {
  const connection = openSqliteDatabase({ file: ':memory:' });
  const database = await openRegistry(connection);
  const keys = createSqliteKeys(database);
  const world = createUsersWorld({ database, runner: createSqliteRunner(connection), dialect: SQLITE, keys });
  try {
    await work(world);
  } finally {
    await world.close();
    await database.destroy();
  }
}

/** What an attacker does who knows the password, and reads the mails to his own addresses. */
const ACTS = [
  'sign in',
  'sign in with GitHub',
  'link GitHub',
  'ask for another address',
  'ask for a second address',
  'open the links of his mails',
  'undo by the links of his mails',
  'ask to reset',
  'reset by the links of his mails',
  'change the password',
  'make a key',
  'make a webhook',
  'register',
] as const;
/** What the victim does meanwhile, who suspects nothing. */
const INNOCENT = ['the victim signs in', 'the victim signs out', 'an hour', 'a day'] as const;

/** Both of them, and what each has. */
async function play(world: UsersWorld, acts: readonly string[]) {
  const { users, clock, store } = world;
  const client = clientOf(66);
  const ann = await world.signedUp();
  const attacker = { passwords: [PASSWORD], sessions: [] as string[], links: [] as string[] };
  const victim = { links: [] as string[], session: ann.token };
  let made = 0;

  const read = async () => {
    for (const { to, text } of await world.mailed()) {
      const links = [...text.matchAll(/\?token=([\w-]+)/g)].map(([, token]) => token!);
      (to === EMAIL ? victim : attacker).links.push(...links);
    }
  };
  /** The newest of his sessions that goes on. */
  const session = async () => {
    for (const token of attacker.sessions.toReversed()) {
      const found = await users.session(token);
      if (found) return found;
    }
    return undefined;
  };
  const emailOf = async () => (await users.staff.find(ann.user.id))!.email;
  const password = () => attacker.passwords.at(-1)!;
  const keep = (outcome: Awaited<ReturnType<typeof users.signInByGithub>>) => {
    if (outcome.outcome === 'signed_in' && outcome.session.user.id === ann.user.id)
      attacker.sessions.push(outcome.token);
  };
  const bySession = async (work: (own: NonNullable<Awaited<ReturnType<typeof session>>>) => Promise<unknown>) => {
    const own = await session();
    if (own) await work(own);
  };
  const askFor = (email: string) =>
    bySession((own) =>
      users.changeProfile(own, { name: 'Ann', timezone: 'UTC', email, currentPassword: password() }, client),
    );
  const github = { id: GITHUB, name: null, verifiedEmail: EVIL[0] };

  const doing: Readonly<Record<string, () => Promise<unknown>>> = {
    'sign in': async () => keep(await world.signIn(await emailOf(), password(), client)),
    'sign in with GitHub': async () => {
      const [linked] = await world.database.selectFrom('users').select('id').where('github_id', '=', GITHUB).execute();
      if (linked) keep(await users.signInByGithub(github, client));
    },
    'link GitHub': () => bySession((own) => users.linkGithub(own, GITHUB, client)),
    'ask for another address': () => askFor(EVIL[0]),
    'ask for a second address': () => askFor(EVIL[1]),
    'open the links of his mails': async () => {
      for (const token of attacker.links) await users.verifyEmail(token, password(), client);
    },
    'undo by the links of his mails': async () => {
      for (const token of attacker.links) await users.undoEmailChange(token, client);
    },
    'ask to reset': async () => users.forgotPassword(await emailOf(), client),
    'reset by the links of his mails': async () => {
      for (const token of attacker.links) {
        const next = `a password of the thief ${++made}`;
        if (await users.resetPassword(token, next, client)) attacker.passwords.push(next);
      }
    },
    'change the password': () =>
      bySession(async (own) => {
        const next = `a password of the thief ${++made}`;
        const changed = await users.changePassword(own, { currentPassword: password(), password: next }, client);
        attacker.passwords.push(next);
        attacker.sessions.push(changed.token);
      }),
    'make a key': () =>
      bySession(async (own) => {
        const random = (size: number) => Buffer.from(`${++made}`.padEnd(size, '.')).subarray(0, size);
        const maker = { registry: store.keys, pepper: 'pepper', now: () => clock.time, random };
        const account = { id: own.user.accountId };
        await issueKey(maker, { name: 'n', scopes: ['all'], expiresAt: null, account });
      }),
    'make a webhook': () =>
      bySession(async ({ user: { accountId } }) => {
        const before = world.webhooks.get(accountId) ?? [];
        world.webhooks.set(accountId, [...before, { id: ++made, url: 'https://evil.example/' }]);
      }),
    register: () => users.register({ email: EMAIL, password: 'of a stranger', name: '', plan: '' }, client),
    'the victim signs in': async () => {
      const outcome = await world.signIn();
      if (outcome.outcome === 'signed_in') victim.session = outcome.token;
    },
    'the victim signs out': async () => {
      const own = await users.session(victim.session);
      if (own) await users.endSession(own, CLIENT);
    },
    'an hour': async () => {
      clock.time += HOUR;
    },
    'a day': async () => {
      clock.time += DAY;
    },
  };
  for (const act of acts) {
    // What is refused is refused.
    await doing[act]!().catch((error: { readonly status?: number }) => expect(error.status).toBeGreaterThan(400));
    await read();
  }
  return { ann, attacker, victim, emailOf, read };
}

it('whatever an attacker did before, after the victim’s recovery it neither signs in nor calls, unless it was shown', async () => {
  const orders = fc.array(fc.constantFrom(...ACTS, ...ACTS, ...INNOCENT), { minLength: 3, maxLength: 18 });
  await fc.assert(
    fc.asyncProperty(orders, (acts) =>
      inWorld(async (world) => {
        const { users, clock } = world;
        // Time to take back is 7 days.
        let days = 0;
        const { ann, attacker, victim, emailOf, read } = await play(
          world,
          acts.filter((act) => act !== 'a day' || ++days <= 4),
        );
        clock.time += HOUR + MINUTE;

        // When: the address is taken back if it has gone, and a new password is set by mail.
        let reset: string | undefined;
        if ((await emailOf()) !== EMAIL) {
          for (const token of victim.links) {
            const undone = await users.undoEmailChange(token, CLIENT);
            if (undone.outcome === 'taken_back') reset = undone.resetToken;
          }
        } else {
          await users.forgotPassword(EMAIL, CLIENT);
          await read();
          for (const token of victim.links) if (await users.isResetValid(token)) reset = token;
        }
        const shown = await users.accessAfterReset(reset!);
        expect(await users.resetPassword(reset!, NEW_PASSWORD, CLIENT)).toBe(true);
        await read();

        // Then
        expect(await emailOf()).toBe(EMAIL);
        for (const token of attacker.sessions) expect(await users.session(token)).toBeUndefined();
        let n = 0;
        for (const password of attacker.passwords) {
          for (const email of [EMAIL, ...EVIL]) {
            const { outcome } = await world.signIn(email, password, clientOf(++n % 60));
            expect([email, password, outcome]).toEqual([email, password, 'wrong']);
          }
        }
        for (const token of attacker.links) {
          expect(await users.resetPassword(token, 'one more of the thief', clientOf(99))).toBe(false);
          await users.verifyEmail(token, PASSWORD, clientOf(99));
          const isShown = shown!.formerAddresses.length > 0;
          if (!isShown) expect(await users.undoEmailChange(token, clientOf(99))).toEqual({ outcome: 'gone' });
        }
        expect(await emailOf()).toBe(EMAIL);
        const { githubId } = (await users.staff.find(ann.user.id))!;
        expect(githubId !== null).toBe(shown!.github !== null);
        const keys = (await world.store.keys.list(ann.user.accountId)).map(({ id }) => id);
        expect(shown!.keys.map(({ id }) => id).sort()).toEqual(keys.sort());
        expect(shown!.webhooks).toEqual(world.webhooks.get(ann.user.accountId) ?? []);
        expect(begun(await world.signIn(EMAIL, NEW_PASSWORD)).session.user.id).toBe(ann.user.id);
      }),
    ),
    { numRuns: cases(300, 40) },
  );
});
