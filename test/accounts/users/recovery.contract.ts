import { describe, expect, it } from 'vitest';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import type { Session } from '../../../src/accounts/users/user-service.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import type { Mail } from '../../../src/platform/mail/mail.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { begun, CLIENT, clientOf, EMAIL, PASSWORD, refusal, tokenOf } from './users-world.ts';

const EVIL = 'evil@example.net';
const NEW_PASSWORD = 'another fine password';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export function recoveryContract(given: () => UsersUnderTest): void {
  const askFor = (session: Session, email = EVIL, currentPassword = PASSWORD) =>
    given().world.users.changeProfile(session, { name: 'Ann', timezone: 'UTC', email, currentPassword }, clientOf(9));
  const mailTo = (mails: readonly Mail[], to: string, subject: RegExp): Mail =>
    mails.find((one) => one.to === to && subject.test(one.subject))!;
  /** The tokens of the mails about a change that was just asked for. */
  async function askedFor(session: Session, email?: string) {
    await askFor(session, email);
    const mails = await given().world.mailed();
    return {
      link: tokenOf(mailTo(mails, email ?? EVIL, /Verify your new/)),
      undo: tokenOf(mailTo(mails, session.user.email, /about to change/)),
    };
  }
  const open = (link: string) => given().world.users.verifyEmail(link, '', clientOf(9));
  const undo = (token: string) => given().world.users.undoEmailChange(token, CLIENT);
  const emailOf = async (session: Session) => (await given().world.users.staff.find(session.user.id))?.email;
  async function resetToken(email = EMAIL): Promise<string> {
    await given().world.users.forgotPassword(email, CLIENT);
    return given().world.token();
  }
  const makeKey = (session: Session, name = 'n') => {
    const { world } = given();
    const random = (size: number) => Buffer.from(name.padEnd(size, 'x')).subarray(0, size);
    const maker = { registry: world.store.keys, pepper: 'pepper', now: () => world.clock.time, random };
    return issueKey(maker, { name, scopes: ['all'], expiresAt: null, account: { id: session.user.accountId } });
  };

  describe('a pending change of address', () => {
    it.each<[string, (attacker: Session, victim: Session & { readonly token: string }) => Promise<unknown>]>([
      [
        'the password is reset by mail',
        async () => given().world.users.resetPassword(await resetToken(), NEW_PASSWORD, CLIENT),
      ],
      [
        'the password is changed',
        (_, victim) =>
          given().world.users.changePassword(victim, { currentPassword: PASSWORD, password: NEW_PASSWORD }, CLIENT),
      ],
      [
        'an operator gives a new password',
        async () => {
          const { resetUrl } = (await given().world.users.operators.reset(EMAIL))!;
          const token = new URL(resetUrl).searchParams.get('token')!;
          await given().world.users.resetPassword(token, NEW_PASSWORD, CLIENT);
        },
      ],
      ['all other sessions are ended', (_, victim) => given().world.users.revokeOthers(victim, CLIENT)],
      [
        'the session that asked is ended from another one',
        (attacker, victim) => given().world.users.revokeSession(victim.user, attacker.id, CLIENT),
      ],
      ['the session that asked signs out', (attacker) => given().world.users.endSession(attacker, CLIENT)],
      [
        'the session that asked is not used for 12 hours',
        async () => {
          given().world.clock.time += 12 * HOUR;
        },
      ],
    ])('when %s, then it has ended: its link moves nothing', async (_, recover) => {
      const { world } = given();
      const victim = await world.signedUp();
      const attacker = begun(await world.signIn(EMAIL, PASSWORD, clientOf(9))).session;
      const { link } = await askedFor(attacker);
      await recover(attacker, victim);
      await world.mailed();
      expect(await open(link)).toBe(false);
      expect(await emailOf(victim)).toBe(EMAIL);
    });

    it.each(['a new password', 'ending all others'])('ends with %s in the very session that asked', async (what) => {
      const { world } = given();
      const session = await world.signedUp();
      const { link } = await askedFor(session);
      if (what === 'ending all others') await world.users.revokeOthers(session, CLIENT);
      else await world.users.changePassword(session, { currentPassword: PASSWORD, password: NEW_PASSWORD }, CLIENT);
      await world.mailed();
      expect(await open(link)).toBe(false);
      expect(await emailOf(session)).toBe(EMAIL);
    });

    it('is stopped by the link in the mail to the old address, which reading alone does not use', async () => {
      const { world } = given();
      const victim = await world.signedUp();
      const attacker = begun(await world.signIn(EMAIL, PASSWORD, clientOf(9)));
      const { link, undo: token } = await askedFor(attacker.session);
      expect(await world.users.findEmailUndo(token)).toEqual({ kind: 'pending', newEmail: EVIL });
      expect(await world.users.findEmailUndo('A'.repeat(43))).toBeUndefined();
      expect(await undo(token)).toEqual({ outcome: 'cancelled' });
      expect(await undo(token)).toEqual({ outcome: 'gone' });
      expect(await open(link)).toBe(false);
      expect(await world.users.session(attacker.token)).toBeUndefined();
      expect(await world.users.session(victim.token)).toBeDefined();
    });
  });

  describe('an address that was changed', () => {
    /** The attacker has moved the account to his address. */
    async function stolen() {
      const { world } = given();
      const victim = await world.signedUp();
      const attacker = begun(await world.signIn(EMAIL, PASSWORD, clientOf(9)));
      const { link, undo: asked } = await askedFor(attacker.session);
      expect(await open(link)).toBe(true);
      const changed = tokenOf(mailTo(await world.mailed(), EMAIL, /was changed/));
      return { victim, attacker, asked, changed };
    }

    it.each(['asked', 'changed'] as const)('is taken back by the mail of when it was %s', async (which) => {
      const { world } = given();
      const { victim, attacker, ...links } = await stolen();
      await world.users.forgotPassword(EVIL, clientOf(9));
      const planted = await world.token();
      const undone = await undo(links[which]);
      expect(undone).toMatchObject({ outcome: 'taken_back' });
      expect(await emailOf(victim)).toBe(EMAIL);
      expect(await world.users.session(attacker.token)).toBeUndefined();
      expect(await world.users.isResetValid(planted)).toBe(false);
      for (const email of [EMAIL, EVIL]) expect((await world.signIn(email, PASSWORD)).outcome).toBe('wrong');
      const { resetToken: token } = undone as { resetToken: string };
      expect(await world.users.resetPassword(token, NEW_PASSWORD, CLIENT)).toBe(true);
      expect((await world.signIn(EMAIL, NEW_PASSWORD)).outcome).toBe('signed_in');
      for (const used of [links.asked, links.changed]) expect(await undo(used)).toEqual({ outcome: 'gone' });
    });

    it('is taken back within 7 days, and no longer', async () => {
      const { world } = given();
      const { asked, changed } = await stolen();
      world.clock.time += 7 * DAY - 1;
      expect(await world.users.findEmailUndo(changed)).toEqual({ kind: 'changed', newEmail: EVIL, oldEmail: EMAIL });
      world.clock.time += 1;
      for (const token of [asked, changed]) expect(await undo(token)).toEqual({ outcome: 'gone' });
      await world.prune(world.clock.time);
      expect(await world.database.selectFrom('email_takebacks').selectAll().execute()).toEqual([]);
    });

    it('is taken back whatever the new owner has done: another password, another address, and back again', async () => {
      const { world } = given();
      const { victim, attacker, changed } = await stolen();
      await world.users.forgotPassword(EVIL, clientOf(9));
      await world.users.resetPassword(await world.token(), 'the password of the thief', clientOf(9));
      const thief = begun(await world.signIn(EVIL, 'the password of the thief', clientOf(9))).session;
      await world.mailed();
      await askFor(thief, 'evil2@example.net', 'the password of the thief');
      const mails = await world.mailed();
      expect(await open(tokenOf(mailTo(mails, 'evil2@example.net', /new/)))).toBe(true);
      const evilTakeback = tokenOf(mailTo(await world.mailed(), EVIL, /was changed/));
      expect((await undo(changed)).outcome).toBe('taken_back');
      expect(await undo(evilTakeback)).toEqual({ outcome: 'gone' });
      expect(await emailOf(victim)).toBe(EMAIL);
      expect(attacker.session.user.id).toBe(victim.user.id);
    });

    it('given who goes back to a former address by a new change, then no later address can be taken back', async () => {
      const { world } = given();
      const { victim, attacker } = await stolen();
      await askFor({ ...attacker.session, user: { ...attacker.session.user, email: EVIL } }, EMAIL);
      const mails = await world.mailed();
      expect(await open(tokenOf(mailTo(mails, EMAIL, /new/)))).toBe(true);
      const undoOfEvil = tokenOf(mailTo(mails, EVIL, /about to change/));
      expect(mailTo(await world.mailed(), EVIL, /was changed/).text).not.toContain('token=');
      expect(await undo(undoOfEvil)).toEqual({ outcome: 'gone' });
      expect(await emailOf(victim)).toBe(EMAIL);
    });

    it('given an account that somebody has made with it since, then it says so, and changes nothing', async () => {
      const { world } = given();
      const { victim, changed } = await stolen();
      const { user } = await world.signedUp(EMAIL);
      expect(await undo(changed)).toEqual({ outcome: 'taken' });
      expect([await emailOf(victim), user.email]).toEqual([EVIL, EMAIL]);
    });

    it('given a sixth change within 7 days, then it is refused: links that take back never push each other out', async () => {
      const { world } = given();
      let session: Session = await world.signedUp();
      for (let n = 1; n <= 5; n++) {
        const email = `ann${n}@example.com`;
        const { link } = await askedFor(session, email);
        expect(await open(link)).toBe(true);
        await world.mailed();
        session = { ...session, user: { ...session.user, email } };
      }
      expect((await refusal(askFor(session, 'ann6@example.com'))).fields).toHaveProperty('email');
      world.clock.time += 7 * DAY;
      const later = begun(await world.signIn('ann5@example.com')).session;
      await askFor(later, 'ann6@example.com');
    });
  });

  describe('what a new password does not end', () => {
    it('is on the page of the reset and in its mails, and goes by its buttons', async () => {
      const { world } = given();
      const { users } = world;
      const session = await world.signedUp();
      const { accountId } = session.user;
      await users.linkGithub(session, '666', CLIENT);
      const { record } = await makeKey(session, 'call +1 555 now');
      world.webhooks.set(accountId, [{ id: 3, url: 'https://evil.example/' }]);
      world.links.set(accountId, [{ id: 4, path: '/v1/teams', createdAt: '2026-03-01T12:00:00.000Z' }]);
      await world.mailed();
      await users.forgotPassword(EMAIL, CLIENT);
      const [mail] = await world.mailed();
      expect(mail!.text).toContain('GitHub, linked at 2026-03-01 12:00 UTC');
      expect(mail!.text).toContain(`the API key ${record.prefix}, made at 2026-03-01 12:00 UTC`);
      expect(mail!.text).toContain('a webhook');
      expect(mail!.text).toContain('a link to the API');
      expect(mail!.text).not.toMatch(/555|evil\.example/);
      const token = tokenOf(mail!);
      expect(await users.accessAfterReset(token)).toMatchObject({
        github: { linkedAt: '2026-03-01T12:00:00.000Z' },
        keys: [{ id: record.id, prefix: record.prefix }],
        webhooks: [{ id: 3 }],
        links: [{ id: 4, path: '/v1/teams' }],
        formerAddresses: [],
      });
      const other = await makeKey(await world.signedUp('bob@example.com'), 'of Bob');
      expect(await users.removeAccess(token, { kind: 'key', id: other.record.id }, CLIENT)).toBe(false);
      expect(await users.removeAccess('wrong', { kind: 'github' }, CLIENT)).toBe(false);
      for (const access of [
        { kind: 'key', id: record.id },
        { kind: 'webhook', id: 3 },
        { kind: 'link', id: 4 },
        { kind: 'github' },
      ] as const) {
        expect([access.kind, await users.removeAccess(token, access, CLIENT)]).toEqual([access.kind, true]);
        expect([access.kind, await users.removeAccess(token, access, CLIENT)]).toEqual([access.kind, false]);
      }
      expect(await users.accessAfterReset(token)).toEqual({
        github: null,
        keys: [],
        webhooks: [],
        links: [],
        formerAddresses: [],
      });
      expect((await world.store.keys.find(record.id))!.revokedAt).not.toBeNull();
      await users.resetPassword(token, NEW_PASSWORD, CLIENT);
      expect((await world.mailed()).map(({ subject }) => subject)).toEqual([
        'GitHub was unlinked from your account',
        'Your password was changed',
      ]);
      expect(await users.accessAfterReset(token)).toBeUndefined();
    });

    it('given a former address that can take the account back, then the reset shows it', async () => {
      const { world } = given();
      const session = await world.signedUp('first@example.com');
      const { link } = await askedFor(session, EMAIL);
      expect(await open(link)).toBe(true);
      await world.mailed();
      await world.users.forgotPassword(EMAIL, CLIENT);
      const [mail] = await world.mailed();
      expect(mail!.text).toContain('first@example.com');
      expect(await world.users.accessAfterReset(tokenOf(mail!))).toMatchObject({
        formerAddresses: [{ email: 'first@example.com', until: '2026-03-08T12:00:00.000Z' }],
      });
    });
  });

  describe('GitHub in a session', () => {
    it('given a session that is 15 minutes old, then it is linked after the password only, and each time a mail says so', async () => {
      const { world } = given();
      const { users } = world;
      const session = await world.signedUp();
      expect(await users.mustConfirm(session)).toBe(false);
      world.clock.time += 15 * MINUTE;
      expect(await users.mustConfirm(session)).toBe(true);
      expect((await refusal(users.linkGithub(session, '666', CLIENT))).status).toBe(403);
      expect((await refusal(users.confirmSession(session, 'wrong', CLIENT))).fields).toHaveProperty('current_password');
      expect(await users.mustConfirm(session)).toBe(true);
      expect(await world.mailed()).toEqual([]);
      await users.confirmSession(session, PASSWORD, CLIENT);
      await users.linkGithub(session, '666', CLIENT);
      expect(await world.mailed()).toMatchObject([{ to: EMAIL, subject: 'GitHub was linked to your account' }]);
      expect((await refusal(users.linkGithub(session, '667', CLIENT))).status).toBe(409);
      await users.unlinkGithub(session, CLIENT);
      expect(await world.mailed()).toMatchObject([{ to: EMAIL, subject: 'GitHub was unlinked from your account' }]);
    });

    it('given a session that was ended meanwhile, then nothing is linked', async () => {
      const { world } = given();
      const session = await world.signedUp();
      await world.users.endSession(session, CLIENT);
      expect((await refusal(world.users.linkGithub(session, '666', CLIENT))).status).toBe(403);
    });

    it('given a user without a password, then an old session sets none, and asks for no other address', async () => {
      const { world } = given();
      const person = { id: '77', name: 'Ann', verifiedEmail: EMAIL };
      const { session } = begun(await world.users.signInByGithub(person, CLIENT));
      world.clock.time += 15 * MINUTE;
      const set = { currentPassword: '', password: NEW_PASSWORD };
      expect((await refusal(world.users.changePassword(session, set, CLIENT))).status).toBe(403);
      expect((await refusal(askFor(session, EVIL, ''))).status).toBe(403);
      expect((await refusal(world.users.confirmSession(session, '', CLIENT))).status).toBe(403);
      const again = begun(await world.users.signInByGithub(person, CLIENT)).session;
      await world.users.changePassword(again, set, CLIENT);
      expect((await world.signIn(EMAIL, NEW_PASSWORD)).outcome).toBe('signed_in');
    });

    it('given another GitHub account with the same verified address, then it is refused, and the owner is told', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      const by = (id: string) =>
        world.users.signInByGithub({ id, name: null, verifiedEmail: EMAIL }, clientOf(Number(id)));
      expect((await by('1')).outcome).toBe('signed_in');
      expect(await world.mailed()).toMatchObject([{ to: EMAIL, subject: 'GitHub was linked to your account' }]);
      expect(await by('2')).toEqual({ outcome: 'other_github' });
      expect(await world.mailed()).toMatchObject([{ to: EMAIL, subject: 'A sign-in with GitHub was refused' }]);
      expect(await world.users.staff.find(user.id)).toMatchObject({ githubId: '1' });
      for (let n = 0; n < 5; n++) await by('2');
      expect(await world.mailed()).toHaveLength(2);
      const { events } = await world.security.list({ page: 1, userId: user.id });
      expect(events[0]).toMatchObject({ type: 'github_refused', severity: 'warning', ip: '198.51.100.2' });
    });
  });

  describe('registrations of one address by several browsers', () => {
    const by = (visitor: string, password: string, n = 1) =>
      given().world.users.register(
        { email: EMAIL, password, name: '', plan: '' },
        { ...clientOf(n), userAgent: FIREFOX, visitor },
      );
    const other = 'the password of a stranger';

    it('given a stranger’s newer one, then sign-in and resending go by that of this browser', async () => {
      const { world } = given();
      const ann = { ...CLIENT, visitor: 'ann' };
      await by('ann', PASSWORD);
      await by('stranger', other);
      const mails = await world.mailed();
      expect(mails).toHaveLength(2);
      expect((await world.signIn(EMAIL, PASSWORD)).outcome).toBe('wrong');
      expect((await world.signIn(EMAIL, PASSWORD, ann)).outcome).toBe('unverified');
      const bySignIn = await world.token();
      expect(await refusal(world.users.verifyEmail(bySignIn, other, ann))).toMatchObject({ status: 422 });
      world.clock.time += HOUR;
      await world.users.resendVerification(EMAIL, { ...CLIENT, visitor: 'nobody' });
      const newest = await world.token();
      expect((await refusal(world.users.verifyEmail(newest, PASSWORD, CLIENT))).fields).toHaveProperty('password');
      await world.users.resendVerification(EMAIL, ann);
      expect(await world.users.verifyEmail(await world.token(), PASSWORD, CLIENT)).toBe(true);
      expect((await world.signIn(EMAIL, PASSWORD)).outcome).toBe('signed_in');
      expect((await world.signIn(EMAIL, other)).outcome).toBe('wrong');
    });

    it('given a link that is only looked at, then nothing is made', async () => {
      const { world } = given();
      await by('ann', PASSWORD);
      const token = await world.token();
      expect(await world.users.findVerification(token)).toBe('registration');
      expect(await world.users.findVerification('A'.repeat(43))).toBeUndefined();
      expect((await world.users.staff.list(1, '')).users).toMatchObject([{ isVerified: false }]);
      expect(await world.users.verifyEmail(token, PASSWORD, CLIENT)).toBe(true);
      expect(await world.users.findVerification(token)).toBe('verified');
    });

    it('given many wrong passwords at a link, then the right one is 429 too', async () => {
      const { world } = given();
      await by('ann', PASSWORD);
      const token = await world.token();
      for (let n = 0; n < 20; n++) {
        expect((await refusal(world.users.verifyEmail(token, `no ${n}`, clientOf(n)))).status).toBe(422);
      }
      expect((await refusal(world.users.verifyEmail(token, PASSWORD, CLIENT))).status).toBe(429);
    });

    it('then each mail says when and from which browser it was asked for, and nothing that a stranger wrote', async () => {
      const { world } = given();
      await by('ann', PASSWORD, 7);
      world.clock.time += MINUTE;
      const form = { email: EMAIL, password: other, name: 'call 555', plan: '' };
      await world.users.register(form, { ip: '2001:db8::1', userAgent: 'call 555 Safari/1' });
      const [first, second] = await world.mailed();
      expect(first!.text).toContain('at 2026-03-01 12:00 UTC with Firefox on Linux, at 198.51.100.7');
      expect(second!.text).toContain('at 2026-03-01 12:01 UTC with Safari, at 2001:db8::1');
      expect(second!.text).not.toContain('555');
    });
  });
}
