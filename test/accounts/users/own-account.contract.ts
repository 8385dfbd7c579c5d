import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../src/accounts/keys/authenticator.ts';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import type { Session } from '../../../src/accounts/users/user-service.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { begun, CLIENT, clientOf, EMAIL, PASSWORD, refusal, tokenOf } from './users-world.ts';

const NEW_EMAIL = 'ann.new@example.com';
const NEW_PASSWORD = 'another fine password';

export function accountOfUser(given: () => UsersUnderTest): void {
  const change = (
    session: Session,
    fields: Partial<Record<'name' | 'timezone' | 'email' | 'currentPassword', string>>,
  ) =>
    given().world.users.changeProfile(
      session,
      { name: 'Ann', timezone: 'UTC', email: session.user.email, currentPassword: '', ...fields },
      CLIENT,
    );
  const find = (id: number) => given().world.users.staff.find(id);

  describe('a profile', () => {
    it('given a name and a time zone, then they count at once; wrong ones are refused by their fields', async () => {
      const { world } = given();
      const session = await world.signedUp();
      await change(session, { name: ' Ann Lee ', timezone: 'Europe/Berlin' });
      expect(await find(session.user.id)).toMatchObject({ name: 'Ann Lee', timezone: 'Europe/Berlin', email: EMAIL });
      expect(await world.mailed()).toEqual([]);
      const wrong = await refusal(change(session, { name: '', timezone: 'Mars/Base', email: 'no' }));
      expect(Object.keys(wrong.fields).sort()).toEqual(['email', 'name', 'timezone']);
      expect((await refusal(change(session, { timezone: '+01:00' }))).fields).toHaveProperty('timezone');
      expect(await find(session.user.id)).toMatchObject({ name: 'Ann Lee', timezone: 'Europe/Berlin' });
    });

    it('given a new address, then it counts once its link is opened, and the old one is told and free again', async () => {
      const { world } = given();
      const session = await world.signedUp();
      expect((await refusal(change(session, { email: NEW_EMAIL }))).fields).toHaveProperty('current_password');
      expect(await world.mailed()).toEqual([]);
      await change(session, { email: NEW_EMAIL, currentPassword: PASSWORD });
      const mails = await world.mailed();
      expect(mails.map(({ to }) => to)).toEqual([NEW_EMAIL, EMAIL]);
      expect(await find(session.user.id)).toMatchObject({ email: EMAIL });
      expect((await world.signIn()).outcome).toBe('signed_in');
      const token = tokenOf(mails[0]!);
      expect(await world.users.verifyEmail(token, PASSWORD, CLIENT)).toBe(true);
      expect(await world.users.verifyEmail(token, PASSWORD, CLIENT)).toBe(true);
      expect(await world.mailed()).toMatchObject([{ to: EMAIL, subject: 'Your e-mail address was changed' }]);
      expect(await find(session.user.id)).toMatchObject({ email: NEW_EMAIL });
      expect((await world.signIn(EMAIL)).outcome).toBe('wrong');
      expect((await world.signIn(NEW_EMAIL)).outcome).toBe('signed_in');
      const next = await world.signedUp(EMAIL);
      expect(next.user.accountId).not.toBe(session.user.accountId);
      const accounts = await world.database.selectFrom('accounts').selectAll().orderBy('id').execute();
      expect(accounts.map(({ email, free_grant_used: used }) => [email, used])).toEqual([
        [NEW_EMAIL, null],
        [EMAIL, 1],
      ]);
    });

    it('given an address of another user, then the answer is the same, and its owner alone is told', async () => {
      const { world } = given();
      const session = await world.signedUp();
      await world.signedUp('bob@example.com');
      await change(session, { email: 'bob@example.com', currentPassword: PASSWORD });
      const [toBob, toAnn] = await world.mailed();
      expect(toBob).toMatchObject({ to: 'bob@example.com', subject: 'You already have an account' });
      expect(toBob!.text).not.toContain('token=');
      expect(toAnn!.to).toBe(EMAIL);
    });

    it('given two who are on their way to one address, then the first link wins, also before whoever registers with it', async () => {
      const { world } = given();
      const ann = await world.signedUp();
      const bob = await world.signedUp('bob@example.com');
      const links: string[] = [];
      for (const session of [ann, bob]) {
        await change(session, { email: NEW_EMAIL, currentPassword: PASSWORD });
        links.push(tokenOf((await world.mailed())[0]!));
      }
      await world.users.register({ email: NEW_EMAIL, password: NEW_PASSWORD, name: '', plan: '' }, clientOf(1));
      const registered = await world.token();
      expect(await world.users.verifyEmail(links[1]!, PASSWORD, CLIENT)).toBe(true);
      expect(await world.users.verifyEmail(links[0]!, PASSWORD, CLIENT)).toBe(false);
      expect(await world.users.verifyEmail(registered, PASSWORD, CLIENT)).toBe(false);
      expect(await find(bob.user.id)).toMatchObject({ email: NEW_EMAIL });
      expect(await find(ann.user.id)).toMatchObject({ email: EMAIL });
    });
  });

  describe('a new password', () => {
    const changePassword = (session: Session, currentPassword: string, password = NEW_PASSWORD) =>
      given().world.users.changePassword(session, { currentPassword, password }, CLIENT);

    it('given the current one, then this session goes on under a new token, and all others end', async () => {
      const { world } = given();
      const { token: before, ...session } = await world.signedUp();
      const other = begun(await world.signIn());
      expect((await refusal(changePassword(session, 'wrong'))).fields).toHaveProperty('current_password');
      expect((await refusal(changePassword(session, PASSWORD, 'short'))).fields).toHaveProperty('password');
      expect(await world.mailed()).toEqual([]);
      const changed = await changePassword(session, PASSWORD);
      expect(changed.session.id).toBe(session.id);
      expect(await world.users.session(before)).toBeUndefined();
      expect(await world.users.session(other.token)).toBeUndefined();
      expect(await world.users.session(changed.token)).toMatchObject({ id: session.id });
      expect((await world.signIn()).outcome).toBe('wrong');
      expect((await world.signIn(EMAIL, NEW_PASSWORD)).outcome).toBe('signed_in');
      expect(await world.mailed()).toMatchObject([{ to: EMAIL, subject: 'Your password was changed' }]);
    });

    it('given many wrong ones, then the right one is 429 too', async () => {
      const { world } = given();
      const session = await world.signedUp();
      for (let n = 0; n < 20; n++) expect((await refusal(changePassword(session, `no ${n}`))).status).toBe(422);
      expect((await refusal(changePassword(session, PASSWORD))).status).toBe(429);
    });

    it('given a link to reset it that was mailed before, then it works no more', async () => {
      const { world } = given();
      const session = await world.signedUp();
      await world.users.forgotPassword(EMAIL, CLIENT);
      const token = await world.token();
      await changePassword(session, PASSWORD);
      expect(await world.users.isResetValid(token)).toBe(false);
    });
  });

  describe('a deletion', () => {
    const remove = (session: Session, currentPassword: string, confirm = '') =>
      given().world.users.deleteUser(session, { currentPassword, confirm }, CLIENT);

    it('given the password, then all ends at once, what is personal is erased, and the address is free', async () => {
      const { world } = given();
      const { token, ...session } = await world.signedUp();
      const { accountId } = session.user;
      const { keys } = world.store;
      const maker = {
        registry: keys,
        pepper: 'pepper',
        now: () => world.clock.time,
        random: (size: number) => Buffer.alloc(size, 7),
      };
      const { key } = await issueKey(maker, {
        name: 'n',
        scopes: ['all'],
        expiresAt: null,
        account: { id: accountId },
      });
      const authenticate = createAuthenticator({ ...maker, onError: () => {} });
      expect((await authenticate(key)).accountId).toBe(accountId);
      expect((await refusal(remove(session, 'wrong', EMAIL))).fields).toHaveProperty('current_password');
      expect(await world.users.session(token)).toBeDefined();
      await remove(session, PASSWORD);
      expect(await world.users.session(token)).toBeUndefined();
      expect(await find(session.user.id)).toBeUndefined();
      expect(world.ended).toEqual([
        `bets ${accountId}`,
        `my books ${accountId}`,
        `seal keys ${accountId}`,
        `webhooks ${accountId}`,
        `billing ${accountId}`,
      ]);
      world.clock.time += 500;
      await expect((async () => authenticate(key))()).rejects.toThrow();
      expect((await keys.list(accountId)).map(({ revokedAt }) => revokedAt)).not.toContain(null);
      expect((await world.signIn()).outcome).toBe('wrong');
      const tables = ['users', 'registrations', 'sessions', 'background_jobs', 'accounts', 'email_changes'] as const;
      const rows = await Promise.all(tables.map((table) => world.database.selectFrom(table).selectAll().execute()));
      expect(JSON.stringify(rows)).not.toMatch(/ann|192\.0\.2\.1|Browser/i);
      const { events } = await world.security.list({ page: 1, userId: session.user.id });
      expect(events[0]).toMatchObject({ type: 'account_deleted', byUserId: null });
      expect(events.every(({ ip, userAgent }) => ip === null && userAgent === null)).toBe(true);

      const again = await world.signedUp();
      expect(again.user.id).not.toBe(session.user.id);
      const account = world.database.selectFrom('accounts').selectAll().where('id', '=', again.user.accountId);
      expect(await account.executeTakeFirst()).toMatchObject({ email: EMAIL, free_grant_used: 1 });
      expect(await keys.list(again.user.accountId)).toEqual([]);
    });

    it('given no password, then the address confirms it', async () => {
      const { world } = given();
      const person = { id: '77', name: 'Ann', verifiedEmail: EMAIL };
      const { session } = begun(await world.users.signInByGithub(person, CLIENT));
      expect((await refusal(remove(session, '', 'bob@example.com'))).fields).toHaveProperty('confirm');
      await remove(session, '', ` ${EMAIL.toUpperCase()}`);
      const again = begun(await world.users.signInByGithub(person, CLIENT));
      expect(again.session.user.id).not.toBe(session.user.id);
    });

    it('given webhooks that cannot be ended now, then they are ended a minute later', async () => {
      const { world } = given();
      const session = await world.signedUp();
      let isAway = true;
      const endWebhooks = async (accountId: number) => {
        if (isAway) throw new Error('away');
        world.ended.push(`webhooks ${accountId}`);
      };
      const other = world.another(world.store, { endWebhooks });
      await other.users.deleteUser(session, { currentPassword: PASSWORD, confirm: '' }, CLIENT);
      const { accountId } = session.user;
      const before = [`bets ${accountId}`, `my books ${accountId}`, `seal keys ${accountId}`];
      expect([world.ended, world.warnings.length]).toEqual([before, 1]);
      isAway = false;
      world.clock.time += 60_000;
      await other.resume();
      const all = [...before, `webhooks ${accountId}`, `billing ${accountId}`];
      expect(world.ended).toEqual([...before, ...all]);
      await other.close();
    });
  });
}
