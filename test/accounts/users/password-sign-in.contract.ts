import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { BASE_URL, begun, CHEAP, CLIENT, clientOf, EMAIL, PASSWORD, refusal, tokenOf } from './users-world.ts';

const WRONG = 'not the right one';
const NEW_PASSWORD = 'another fine password';

export function signInContract(given: () => UsersUnderTest): void {
  describe('sign-in', () => {
    it('given wrong passwords and unknown addresses, then the outcome is the same', async () => {
      const { world } = given();
      await world.signedUp();
      expect(await world.signIn(EMAIL, WRONG)).toEqual({ outcome: 'wrong' });
      expect(await world.signIn('nobody@example.com', WRONG)).toEqual({ outcome: 'wrong' });
      expect(await world.signIn('no address', '')).toEqual({ outcome: 'wrong' });
    });

    it('given the right password before the address is verified, then the mail comes again, and no session', async () => {
      const { world } = given();
      await world.users.register({ email: EMAIL, password: PASSWORD, name: '', plan: '' }, CLIENT);
      const first = await world.token();
      expect(await world.signIn(EMAIL, WRONG)).toEqual({ outcome: 'wrong' });
      expect(await world.signIn()).toEqual({ outcome: 'unverified' });
      const second = await world.token();
      expect(await world.users.verifyEmail(first, PASSWORD, CLIENT)).toBe(false);
      expect(await world.users.verifyEmail(second, PASSWORD, CLIENT)).toBe(true);
      expect((await world.signIn()).outcome).toBe('signed_in');
    });

    it('given 5 wrong passwords of an address from an IP, then the right one is 429 there, and not elsewhere', async () => {
      const { world } = given();
      await world.signedUp();
      for (const email of [EMAIL, 'nobody@example.com']) {
        for (let n = 0; n < 5; n++) expect((await world.signIn(email, WRONG)).outcome).toBe('wrong');
        expect(await refusal(world.signIn(email, PASSWORD))).toMatchObject({ status: 429, retryAfter: 900 });
      }
      expect((await world.signIn(EMAIL, PASSWORD, clientOf(1))).outcome).toBe('signed_in');
      world.clock.time += 15 * MINUTE - 1;
      expect(await refusal(world.signIn())).toMatchObject({ status: 429, retryAfter: 1 });
      world.clock.time += 1;
      expect((await world.signIn()).outcome).toBe('signed_in');
    });

    it('given many guesses at once in two processes, then 5 are judged', async () => {
      const { world, another } = given();
      const other = world.another(await another());
      await world.signedUp();
      const both = [world.users, other.users];
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          both[n % 2]!.signIn({ email: EMAIL, password: `${WRONG} ${n}`, remember: false }, CLIENT).then(
            ({ outcome }) => outcome,
            (error: { status: number }) => error.status,
          ),
        ),
      );
      expect(outcomes.filter((one) => one === 'wrong')).toHaveLength(5);
      expect(outcomes.filter((one) => one === 429)).toHaveLength(15);
      await other.close();
    });

    it('given many who sign in rightly at once from one IP, then all of them do', async () => {
      const { world } = given();
      await world.signedUp();
      const outcomes = await Promise.all(Array.from({ length: 29 }, () => world.signIn()));
      expect(outcomes.every(({ outcome }) => outcome === 'signed_in')).toBe(true);
      expect(new Set(outcomes.map((one) => begun(one).token)).size).toBe(29);
    });

    it('given 20 wrong ones from an IP, or 100 of an address, then the next is 429', async () => {
      const { world } = given();
      await world.signedUp();
      for (let n = 0; n < 20; n++) await world.signIn(`u${n}@example.com`, WRONG, clientOf(200));
      expect((await refusal(world.signIn(EMAIL, PASSWORD, clientOf(200)))).status).toBe(429);
      for (let n = 0; n < 100; n++) await world.signIn(EMAIL, WRONG, clientOf(n));
      expect((await refusal(world.signIn(EMAIL, PASSWORD, clientOf(201)))).status).toBe(429);
      expect((await world.signIn('u1@example.com', WRONG, clientOf(201))).outcome).toBe('wrong');
    });

    it('given a weaker stored hash, then it is renewed at sign-in', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      const hash = async () => {
        const row = await world.database.selectFrom('users').select('password_hash').where('id', '=', user.id);
        return (await row.executeTakeFirstOrThrow()).password_hash;
      };
      const strong = world.another(world.store, { hashing: { ...CHEAP, memoryKib: 16, passes: 2 } });
      const given_ = { email: EMAIL, password: PASSWORD, remember: false };
      expect(await hash()).toContain('$argon2id$v=19$m=8,t=1,p=1$');
      expect((await strong.users.signIn(given_, CLIENT)).outcome).toBe('signed_in');
      const renewed = await hash();
      expect(renewed).toContain('$argon2id$v=19$m=16,t=2,p=1$');
      expect((await strong.users.signIn(given_, CLIENT)).outcome).toBe('signed_in');
      expect((await world.signIn()).outcome).toBe('signed_in');
      expect(await hash()).toBe(renewed);
      await strong.close();
    });
  });

  describe('sessions', () => {
    it('given a session, then its token alone opens it, and is stored nowhere', async () => {
      const { world } = given();
      await world.signedUp();
      const { token, session, maxAgeSeconds } = begun(await world.signIn());
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      expect(maxAgeSeconds).toBeNull();
      expect(await world.users.session(token)).toEqual(session);
      expect(await world.users.session(`${token.slice(1)}A`)).toBeUndefined();
      expect(JSON.stringify(await world.database.selectFrom('sessions').selectAll().execute())).not.toContain(token);
    });

    it('given no use for 12 hours, then it has ended, and each use begins them anew, in every process', async () => {
      const { world, another } = given();
      const { token } = await world.signedUp();
      const other = world.another(await another());
      for (let n = 0; n < 4; n++) {
        world.clock.time += 12 * HOUR - 1;
        expect(await world.users.session(token)).toBeDefined();
      }
      world.clock.time += 30_000;
      expect(await world.users.session(token)).toBeDefined();
      world.clock.time += 12 * HOUR - 1;
      expect(await world.users.session(token)).toBeDefined();
      world.clock.time += 12 * HOUR;
      expect(await world.users.session(token)).toBeUndefined();
      expect(await other.users.session(token)).toBeUndefined();
      await other.close();
    });

    it('given one that is remembered, then it ends 30 days after sign-in, whatever its use', async () => {
      const { world } = given();
      await world.signedUp();
      const { token, maxAgeSeconds } = begun(await world.signIn(EMAIL, PASSWORD, CLIENT, true));
      expect(maxAgeSeconds).toBe(2_592_000);
      world.clock.time += 30 * DAY - 1;
      expect(await world.users.session(token)).toBeDefined();
      world.clock.time += 1;
      expect(await world.users.session(token)).toBeUndefined();
    });

    it('given several, then they are listed, the newest first, and each can be ended by its user alone', async () => {
      const { world } = given();
      const { token: firstToken, ...first } = await world.signedUp();
      const other = await world.signedUp('bob@example.com');
      world.clock.time += MINUTE;
      const second = begun(await world.signIn(EMAIL, PASSWORD, clientOf(2)));
      const ids = async () => (await world.users.sessionsOf(first.user)).sessions.map(({ id }) => id);
      expect(await ids()).toEqual([second.session.id, first.id]);
      world.clock.time += MINUTE;
      await world.users.session(firstToken);
      expect(await ids()).toEqual([second.session.id, first.id]);
      expect(await world.users.revokeSession(other.user, second.session.id, CLIENT)).toBe(false);
      expect(await world.users.revokeSession(first.user, second.session.id, CLIENT)).toBe(true);
      expect(await world.users.revokeSession(first.user, second.session.id, CLIENT)).toBe(false);
      expect(await world.users.session(second.token)).toBeUndefined();
      const third = begun(await world.signIn());
      await world.users.revokeOthers(third.session, CLIENT);
      expect(await ids()).toEqual([third.session.id]);
      await world.users.endSession(third.session, CLIENT);
      expect(await world.users.session(third.token)).toBeUndefined();
      expect(await world.users.session(other.token)).toBeDefined();
    });
  });

  describe('a password that was forgotten', () => {
    it('given the link, then it works once, within an hour, and ends all sessions', async () => {
      const { world } = given();
      const { token: cookie } = await world.signedUp();
      await world.users.forgotPassword(EMAIL, CLIENT);
      const [mail] = await world.mailed();
      expect(mail!.text).toContain(`${BASE_URL}/reset-password?token=`);
      const token = tokenOf(mail!);
      expect(await world.users.isResetValid(token)).toBe(true);
      expect((await refusal(world.users.resetPassword(token, 'short', CLIENT))).fields).toHaveProperty('password');
      expect((await refusal(world.users.resetPassword(token, EMAIL, CLIENT))).fields).toHaveProperty('password');
      expect(await world.users.session(cookie)).toBeDefined();
      expect(await world.users.resetPassword(token, NEW_PASSWORD, CLIENT)).toBe(true);
      expect(await world.users.resetPassword(token, PASSWORD, CLIENT)).toBe(false);
      expect(await world.users.isResetValid(token)).toBe(false);
      expect(await world.users.session(cookie)).toBeUndefined();
      expect((await world.signIn(EMAIL, PASSWORD)).outcome).toBe('wrong');
      expect((await world.signIn(EMAIL, NEW_PASSWORD)).outcome).toBe('signed_in');
      expect(await world.mailed()).toMatchObject([{ to: EMAIL, subject: 'Your password was changed' }]);
    });

    it('given a newer link, or an hour, then the link works no more', async () => {
      const { world } = given();
      await world.signedUp();
      await world.users.forgotPassword(EMAIL, CLIENT);
      const first = await world.token();
      await world.users.forgotPassword(EMAIL, CLIENT);
      const second = await world.token();
      expect(await world.users.isResetValid(first)).toBe(false);
      world.clock.time += HOUR - 1;
      expect(await world.users.isResetValid(second)).toBe(true);
      world.clock.time += 1;
      expect(await world.users.isResetValid(second)).toBe(false);
      expect(await world.users.resetPassword(second, NEW_PASSWORD, CLIENT)).toBe(false);
    });

    it('given a link that is used many times at once in two processes, then it is used once', async () => {
      const { world, another } = given();
      const other = world.another(await another());
      await world.signedUp();
      await world.users.forgotPassword(EMAIL, CLIENT);
      const token = await world.token();
      const both = [world.users, other.users];
      const done = await Promise.all(
        Array.from({ length: 6 }, (_, n) => both[n % 2]!.resetPassword(token, `${NEW_PASSWORD} ${n}`, CLIENT)),
      );
      expect(done.filter(Boolean)).toHaveLength(1);
      const password = `${NEW_PASSWORD} ${done.indexOf(true)}`;
      expect((await world.signIn(EMAIL, password)).outcome).toBe('signed_in');
      await other.close();
    });

    it('given an address that is not verified, then the link verifies it, and what others have registered dies', async () => {
      const { world } = given();
      const form = { email: EMAIL, password: PASSWORD, name: '', plan: 'payg' };
      await world.users.register(form, clientOf(1));
      const link = await world.token();
      await world.users.forgotPassword(EMAIL, CLIENT);
      expect(await world.users.resetPassword(await world.token(), NEW_PASSWORD, CLIENT)).toBe(true);
      expect(await world.users.verifyEmail(link, PASSWORD, CLIENT)).toBe(false);
      expect((await world.signIn(EMAIL, PASSWORD)).outcome).toBe('wrong');
      expect(begun(await world.signIn(EMAIL, NEW_PASSWORD)).session.user).toMatchObject({ isVerified: true });
    });
  });
}
