import { describe, expect, it } from 'vitest';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import { DAY, HOUR } from '../../../src/domain/primitives/time.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { BASE_URL, begun, CLIENT, clientOf, EMAIL, PASSWORD, refusal, tokenOf } from './users-world.ts';

const OTHER_PASSWORD = 'what somebody else has set';

export function registrationContract(given: () => UsersUnderTest): void {
  describe('registration', () => {
    const register = (email = EMAIL, password = PASSWORD, client = CLIENT, plan = 'free') =>
      given().world.users.register({ email, password, name: 'Ann', plan }, client);
    const account = async (email: string) => {
      const { database } = given().world;
      return database.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
    };

    it('given a new address, then its link makes the user, and works once more; another token does not', async () => {
      const { world } = given();
      const { users } = world;
      await register(' Ann@EXAMPLE.com ');
      const [mail, ...others] = await world.mailed();
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ to: EMAIL, text: expect.stringContaining(`${BASE_URL}/verify-email?token=`) });
      const unverified = (await users.staff.list(1, '')).users;
      expect(unverified).toMatchObject([{ email: EMAIL, isVerified: false, accountId: null, name: 'Ann' }]);
      expect(await users.verifyEmail('A'.repeat(43), PASSWORD, CLIENT)).toBe(false);
      expect(await users.verifyEmail(tokenOf(mail!), PASSWORD, CLIENT)).toBe(true);
      expect(await users.verifyEmail(tokenOf(mail!), PASSWORD, CLIENT)).toBe(true);
      const { session } = begun(await world.signIn('ANN@example.com'));
      expect(session.user).toMatchObject({ email: EMAIL, isVerified: true, hasPassword: true, isStaff: false });
      expect(await account(EMAIL)).toMatchObject({ id: session.user.accountId, plan: 'free', free_grant_used: null });
    });

    it('given fields that are wrong, then each is named, nothing is made, and no mail leaves', async () => {
      const { world } = given();
      const fieldsOf = async (email: string, password: string) =>
        Object.keys((await refusal(register(email, password))).fields);
      for (const email of ['ann', 'a@b@c.de', 'a@localhost', `${'a'.repeat(250)}@b.de`, 'a\u0000b@c.de', 'a,b@c.de']) {
        expect(await fieldsOf(email, PASSWORD), email).toEqual(['email']);
      }
      for (const password of ['123456789', 'x'.repeat(129), 'PassWord123', EMAIL, EMAIL.toUpperCase()]) {
        expect(await fieldsOf(EMAIL, password), password).toEqual(['password']);
      }
      expect(await fieldsOf('long.local.part@c.de', 'Long.Local.Part')).toEqual(['password']);
      // Ten signs of two code points each, of which NFC makes one.
      expect(await fieldsOf(EMAIL, 'e\u0301'.repeat(9))).toEqual(['password']);
      expect(await fieldsOf('no', 'short')).toEqual(['email', 'password']);
      expect((await refusal(register(EMAIL, 'short'))).status).toBe(422);
      const long = world.users.register({ email: EMAIL, password: PASSWORD, name: 'n'.repeat(101), plan: '' }, CLIENT);
      expect(Object.keys((await refusal(long)).fields)).toEqual(['name']);
      expect(await world.mailed()).toEqual([]);
      expect((await world.users.staff.list(1, '')).users).toHaveLength(0);
    });

    it('given a password in another Unicode form, then it is the same password', async () => {
      const { world } = given();
      await register(EMAIL, 'e\u0301'.repeat(10));
      await world.users.verifyEmail(await world.token(), 'é'.repeat(10), CLIENT);
      expect((await world.signIn(EMAIL, 'é'.repeat(10))).outcome).toBe('signed_in');
    });

    it('given two registrations of one address, then the link that is opened first wins with its own password', async () => {
      const { world } = given();
      await register(EMAIL, PASSWORD);
      const first = await world.token();
      await register(EMAIL, OTHER_PASSWORD, clientOf(1));
      const second = await world.token();
      expect(await world.users.verifyEmail(first, PASSWORD, CLIENT)).toBe(true);
      expect(await world.users.verifyEmail(second, OTHER_PASSWORD, CLIENT)).toBe(false);
      expect((await world.signIn(EMAIL, OTHER_PASSWORD)).outcome).toBe('wrong');
      expect((await world.signIn(EMAIL, PASSWORD)).outcome).toBe('signed_in');
      expect(await world.users.verifyEmail(first, PASSWORD, CLIENT)).toBe(true);
    });

    it('given two links that are opened at the same moment by two processes, then one of them wins', async () => {
      const { world, another } = given();
      const other = world.another(await another());
      await register(EMAIL, PASSWORD);
      const first = await world.token();
      await register(EMAIL, OTHER_PASSWORD);
      const second = await world.token();
      const opened = await Promise.all([
        world.users.verifyEmail(first, PASSWORD, CLIENT),
        other.users.verifyEmail(second, OTHER_PASSWORD, CLIENT),
        world.users.verifyEmail(second, OTHER_PASSWORD, CLIENT),
        other.users.verifyEmail(first, PASSWORD, CLIENT),
      ]);
      expect(opened[0]).toBe(opened[3]);
      expect(opened[1]).toBe(opened[2]);
      expect(opened[0]).toBe(!opened[1]);
      expect((await world.users.staff.list(1, '')).users).toMatchObject([{ isVerified: true }]);
      const [right, wrong] = opened[0] ? [PASSWORD, OTHER_PASSWORD] : [OTHER_PASSWORD, PASSWORD];
      expect((await world.signIn(EMAIL, right)).outcome).toBe('signed_in');
      expect((await world.signIn(EMAIL, wrong)).outcome).toBe('wrong');
      await other.close();
    });

    it('given a link, then it is good for 24 hours from its mail on, and no longer', async () => {
      const { world } = given();
      await register();
      const late = await world.token();
      world.clock.time += DAY;
      expect(await world.users.verifyEmail(late, PASSWORD, CLIENT)).toBe(false);
      await world.users.resendVerification(EMAIL, CLIENT);
      const renewed = await world.token();
      world.clock.time += DAY - 1;
      expect(await world.users.verifyEmail(late, PASSWORD, CLIENT)).toBe(false);
      expect(await world.users.verifyEmail(renewed, PASSWORD, CLIENT)).toBe(true);
      world.clock.time += 1;
      expect(await world.users.verifyEmail(renewed, PASSWORD, CLIENT)).toBe(false);
    });

    it('given a link that is sent again, then it is the newest registration’s, and the older link dies', async () => {
      const { world } = given();
      await register(EMAIL, OTHER_PASSWORD);
      await world.token();
      await register(EMAIL, PASSWORD);
      const before = await world.token();
      await world.users.resendVerification(EMAIL.toUpperCase(), CLIENT);
      const after = await world.token();
      expect(await world.users.verifyEmail(before, PASSWORD, CLIENT)).toBe(false);
      expect(await world.users.verifyEmail(after, PASSWORD, CLIENT)).toBe(true);
      expect((await world.signIn(EMAIL, PASSWORD)).outcome).toBe('signed_in');
    });

    it('given addresses that are known and that are not, then nothing differs but what their owners are mailed', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      expect(await register(EMAIL, OTHER_PASSWORD)).toBeUndefined();
      const [mail, ...others] = await world.mailed();
      expect(others).toEqual([]);
      expect(mail!.to).toBe(EMAIL);
      expect(mail!.text).toContain(`${BASE_URL}/login`);
      expect(mail!.text).toContain(`${BASE_URL}/forgot-password`);
      expect(mail!.text).not.toContain('token=');
      expect(await world.users.resendVerification(EMAIL, CLIENT)).toBeUndefined();
      expect(await world.users.resendVerification('nobody@example.com', CLIENT)).toBeUndefined();
      expect(await world.users.resendVerification('no address', CLIENT)).toBeUndefined();
      expect(await world.users.forgotPassword('nobody@example.com', CLIENT)).toBeUndefined();
      expect(await world.users.forgotPassword('no address', CLIENT)).toBeUndefined();
      expect(await world.mailed()).toEqual([]);
      expect(await world.users.forgotPassword(EMAIL, CLIENT)).toBeUndefined();
      expect(await world.mailed()).toMatchObject([{ to: EMAIL }]);
      expect((await world.signIn(EMAIL, OTHER_PASSWORD)).outcome).toBe('wrong');
      expect(await world.users.staff.find(user.id)).toEqual(user);
    });

    it('given an answer, then no mail has left yet, and a process that ends then has lost none', async () => {
      const { world, another } = given();
      await register();
      expect(world.mails).toEqual([]);
      await world.close();
      const next = world.another(await another());
      await next.resume();
      expect(await next.users.verifyEmail(tokenOf(world.mails.splice(0)[0]!), PASSWORD, CLIENT)).toBe(true);
      await next.close();
    });

    it('given a mail that the outbox does not take, then it is tried again a minute later', async () => {
      const { world } = given();
      let isFull = true;
      const outbox = {
        async add(mail: (typeof world.mails)[number]) {
          if (isFull) throw new Error('full');
          world.mails.push(mail);
        },
      };
      const full = world.another(world.store, { outbox });
      await full.users.register({ email: EMAIL, password: PASSWORD, name: '', plan: '' }, CLIENT);
      await full.resume();
      expect(world.warnings).toHaveLength(1);
      isFull = false;
      await full.resume();
      expect(world.mails).toEqual([]);
      world.clock.time += 60_000;
      await full.resume();
      expect(world.mails).toHaveLength(1);
      await full.close();
    });

    it('given an account that a command has made for the address, then its user takes it over with all it has', async () => {
      const { world } = given();
      const maker = {
        registry: world.store.keys,
        random: (size: number) => Buffer.alloc(size, 7),
        pepper: 'p',
        now: () => 0,
      };
      const { record } = await issueKey(maker, {
        name: 'n',
        scopes: ['all'],
        expiresAt: null,
        account: { email: 'Ann@example.com' },
        plan: 'enterprise',
        credits: 77,
      });
      const { user } = await world.signedUp(EMAIL, 'payg');
      expect(user.accountId).toBe(record.accountId);
      expect(await account(EMAIL)).toMatchObject({ plan: 'enterprise', granted_credits: 77, free_grant_used: null });
      expect(await world.store.keys.list(user.accountId)).toHaveLength(1);
    });

    it('given a plan that was asked for, then payg begins, growth leads to its page once, others are free', async () => {
      const { world } = given();
      const plans = ['payg', 'growth', 'enterprise', ''] as const;
      for (const [n, plan] of plans.entries()) {
        await register(`p${n}@example.com`, PASSWORD, CLIENT, plan);
        await world.users.verifyEmail(await world.token(), PASSWORD, CLIENT);
      }
      const kept = await Promise.all(plans.map((_, n) => account(`p${n}@example.com`)));
      expect(kept.map((one) => one!.plan)).toEqual(['payg', 'free', 'free', 'free']);
      expect(begun(await world.signIn('p1@example.com')).leadsTo).toBe('/billing?plan=growth');
      expect(begun(await world.signIn('p1@example.com')).leadsTo).toBeUndefined();
      expect(begun(await world.signIn('p0@example.com')).leadsTo).toBeUndefined();
    });

    it('given 20 registrations from one IP in an hour, then one more is 429, of however many at once', async () => {
      const { world, another } = given();
      const other = world.another(await another());
      const both = [world.users, other.users];
      const settled = await Promise.allSettled(
        Array.from({ length: 24 }, (_, n) =>
          both[n % 2]!.register({ email: `u${n}@example.com`, password: PASSWORD, name: '', plan: '' }, CLIENT),
        ),
      );
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
      expect((await world.users.staff.list(1, '')).users).toHaveLength(20);
      expect(await refusal(register('late@example.com'))).toMatchObject({ status: 429, retryAfter: 3600 });
      await register('elsewhere@example.com', PASSWORD, clientOf(1));
      world.clock.time += HOUR;
      await register('late@example.com');
      await other.close();
    });

    it('given addresses of one IPv6 network, then they count as one', async () => {
      const { world } = given();
      const from = (n: number) => ({ ip: `2001:db8:0:1::${n}`, userAgent: '' });
      for (let n = 1; n <= 20; n++) await world.users.resendVerification(EMAIL, from(n));
      expect((await refusal(world.users.resendVerification(EMAIL, from(99)))).status).toBe(429);
      await world.users.resendVerification(EMAIL, { ip: '2001:db8:0:2::1', userAgent: '' });
    });

    it('given 3 mails of a kind to an address in an hour, then none follows, and the last link works', async () => {
      const { world } = given();
      await register();
      for (let n = 0; n < 4; n++) await world.users.resendVerification(EMAIL, CLIENT);
      const mails = await world.mailed();
      expect(mails).toHaveLength(3);
      expect(await world.users.verifyEmail(tokenOf(mails[1]!), PASSWORD, CLIENT)).toBe(false);
      expect(await world.users.verifyEmail(tokenOf(mails[2]!), PASSWORD, CLIENT)).toBe(true);
      for (let n = 0; n < 4; n++) await world.users.forgotPassword(EMAIL, CLIENT);
      expect(await world.mailed()).toHaveLength(3);
      for (let n = 0; n < 4; n++) await register();
      expect(await world.mailed()).toHaveLength(3);
      world.clock.time += HOUR;
      await world.users.forgotPassword(EMAIL, CLIENT);
      expect(await world.mailed()).toHaveLength(1);
    });

    it('given a server where nobody registers, then neither a form nor GitHub makes a user', async () => {
      const { world } = given();
      const closed = world.another(world.store, { isRegistrationOpen: () => false });
      const form = { email: EMAIL, password: PASSWORD, name: '', plan: '' };
      expect((await refusal(closed.users.register(form, CLIENT))).status).toBe(404);
      const person = { id: '1', name: null, verifiedEmail: EMAIL };
      expect(await closed.users.signInByGithub(person, CLIENT)).toEqual({ outcome: 'wrong' });
      expect((await world.users.staff.list(1, '')).users).toHaveLength(0);
      await closed.close();
    });
  });
}
